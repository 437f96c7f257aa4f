// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! A layer for the crate `tracing`: lttctl records its events and spans.
//!
//! ```ignore
//! use tracing_subscriber::prelude::*;
//!
//! tracing_subscriber::registry().with(tracing_ltt::LttLayer::new()).init();
//! tracing::info!(user = 7, "logged in");
//! ```
//!
//! The group is the target, with `.` for `::`.  An event is `GROUP:text.LEVEL`, where its message is
//! the field `text`.  A span is the slice `GROUP:NAME.begin` and `GROUP:NAME.end` of each time that
//! a thread is in it.  So `-e 'user:app.*:text.err'` records the errors of the crate `app`.
mod fields;

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use tracing_core::callsite::Identifier;
use tracing_core::{span, Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use fields::Fields;

/// What happens at a callsite; each is an event of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Event,
    Enter,
    Exit,
}

/// The events of a callsite: one for each combination of types that its fields have had.
type Shapes = HashMap<Vec<(String, ltt::Type)>, Option<Arc<ltt::Event>>>;

/// The layer.
#[derive(Default)]
pub struct LttLayer {
    callsites: RwLock<HashMap<(Identifier, What), Shapes>>,
}

/// The part of a name that is kept, and beside which a suffix has room.
const NAME_MAX: usize = 50;

fn name_of(text: &str) -> String {
    let name: String = text
        .replace("::", ".")
        .chars()
        .take(NAME_MAX)
        .map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' })
        .collect();
    if name.is_empty() || name.starts_with('.') { format!("_{name}") } else { name }
}

/// The levels of trace_printf(3).
fn level_of(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "err",
        Level::WARN => "warning",
        Level::INFO => "info",
        _ => "debug",
    }
}

impl LttLayer {
    /// A layer, for a registry of the crate `tracing-subscriber`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Find out if the callsite is recorded: none of its events is, or all are, for all have one
    /// name.  It is not known of one that was never reached.
    fn may_be_recorded(&self, metadata: &Metadata, what: What) -> bool {
        let callsites = self.callsites.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let shapes = callsites.get(&(metadata.callsite(), what));

        shapes.and_then(|shapes| shapes.values().flatten().next()).map_or(true, |event| event.enabled())
    }

    fn event(&self, metadata: &Metadata, what: What, shape: Vec<(String, ltt::Type)>) -> Option<Arc<ltt::Event>> {
        let key = (metadata.callsite(), what);
        {
            let callsites = self.callsites.read().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Some(event) = callsites.get(&key).and_then(|shapes| shapes.get(&shape)) {
                return event.clone();
            }
        }
        // Without the lock: this waits for lttd.  Equal descriptions are one event.
        let name = match what {
            What::Event => format!("text.{}", level_of(metadata.level())),
            What::Enter => format!("{}.begin", name_of(metadata.name())),
            What::Exit => format!("{}.end", name_of(metadata.name())),
        };
        let described: Vec<ltt::Field> = shape.iter().map(|(name, kind)| ltt::Field::new(name, *kind)).collect();
        let (file, line) = (metadata.file().unwrap_or(""), metadata.line().unwrap_or(0));
        // One that is refused is not described again for each occurrence.
        let event = ltt::Event::at(&name_of(metadata.target()), &name, &described, file, line).ok().map(Arc::new);
        let mut callsites = self.callsites.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        callsites.entry(key).or_default().insert(shape, event.clone());
        event
    }

    fn emit(&self, metadata: &Metadata, what: What, fields: &Fields) {
        let (shape, values) = fields.limited();

        if let Some(event) = self.event(metadata, what, shape) {
            let values: Vec<ltt::Value> = values.iter().map(|value| value.recorded()).collect();
            // The values have the types of the shape.
            let _ = event.write(&values);
        }
    }
}

impl<S> Layer<S> for LttLayer
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
{
    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        let mut fields = Fields::default();

        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &span::Id, values: &span::Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            if let Some(fields) = span.extensions_mut().get_mut::<Fields>() {
                values.record(fields);
            }
        }
    }

    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if self.may_be_recorded(event.metadata(), What::Event) {
            let mut fields = Fields::default();

            event.record(&mut fields);
            self.emit(event.metadata(), What::Event, &fields);
        }
    }

    fn on_enter(&self, id: &span::Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            if self.may_be_recorded(span.metadata(), What::Enter) {
                if let Some(fields) = span.extensions().get::<Fields>() {
                    self.emit(span.metadata(), What::Enter, fields);
                }
            }
        }
    }

    fn on_exit(&self, id: &span::Id, context: Context<'_, S>) {
        if let Some(metadata) = context.metadata(id) {
            if self.may_be_recorded(metadata, What::Exit) {
                self.emit(metadata, What::Exit, &Fields::default());
            }
        }
    }
}
