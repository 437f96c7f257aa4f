// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! The fields of an event or span, as `tracing` passes them, and as an event of LTT can have them.
use std::fmt::Debug;

use ltt::Recorded;
use tracing_core::field::{Field, Visit};

/// A value; what is not a number is text.
pub enum Owned {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Real(f64),
    Text(String),
}

impl Owned {
    fn kind(&self) -> ltt::Type {
        match self {
            Owned::Bool(_) => bool::TYPE,
            Owned::Int(_) => i64::TYPE,
            Owned::Uint(_) => u64::TYPE,
            Owned::Real(_) => f64::TYPE,
            Owned::Text(_) => ltt::Type::TEXT,
        }
    }

    pub fn recorded(&self) -> ltt::Value<'_> {
        match self {
            Owned::Bool(value) => value.value(),
            Owned::Int(value) => value.value(),
            Owned::Uint(value) => value.value(),
            Owned::Real(value) => value.value(),
            Owned::Text(value) => ltt::Value::of_text(value),
        }
    }

    fn show(&self) -> String {
        match self {
            Owned::Bool(value) => value.to_string(),
            Owned::Int(value) => value.to_string(),
            Owned::Uint(value) => value.to_string(),
            Owned::Real(value) => value.to_string(),
            Owned::Text(value) => value.clone(),
        }
    }
}

/// Fields in the order in which they were recorded.
#[derive(Default)]
pub struct Fields(Vec<(&'static str, Owned)>);

/// The number of a value's arguments, of which an event has at most 12.
fn arguments(value: &Owned) -> usize {
    if matches!(value, Owned::Text(_)) { 2 } else { 1 }
}

/// A C identifier that no other field has.
fn identifier(name: &str, others: &[(String, ltt::Type)]) -> String {
    let mut identifier: String = name
        .chars()
        .take(40)
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();

    if name == "message" {
        identifier = "text".into();
    }
    if !identifier.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        identifier.insert(0, '_');
    }
    while others.iter().any(|(other, _)| *other == identifier) {
        identifier.push('_');
    }
    identifier
}

impl Fields {
    fn set(&mut self, field: &Field, value: Owned) {
        match self.0.iter_mut().find(|(name, _)| *name == field.name()) {
            Some(known) => known.1 = value,
            None => self.0.push((field.name(), value)),
        }
    }

    /// The names and types, and the values.  Fields for which there is no room are one text, `more`.
    pub fn limited(&self) -> (Vec<(String, ltt::Type)>, Vec<Values<'_>>) {
        let all: usize = self.0.iter().map(|(_, value)| arguments(value)).sum();
        let mut room = if all > ltt::FIELDS_MAX { ltt::FIELDS_MAX - 2 } else { ltt::FIELDS_MAX };
        let (mut shape, mut values, mut more) = (Vec::new(), Vec::new(), Vec::new());

        for (name, value) in &self.0 {
            if more.is_empty() && arguments(value) <= room {
                room -= arguments(value);
                shape.push((identifier(name, &shape), value.kind()));
                values.push(Values::Borrowed(value));
            } else {
                more.push(format!("{name}={}", value.show()));
            }
        }
        if !more.is_empty() {
            shape.push((identifier("more", &shape), ltt::Type::TEXT));
            values.push(Values::Made(Owned::Text(more.join(" "))));
        }
        (shape, values)
    }
}

/// A value of the fields, or one that was made of them.
pub enum Values<'a> {
    Borrowed(&'a Owned),
    Made(Owned),
}

impl Values<'_> {
    pub fn recorded(&self) -> ltt::Value<'_> {
        match self {
            Values::Borrowed(value) => value.recorded(),
            Values::Made(value) => value.recorded(),
        }
    }
}

impl Visit for Fields {
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, Owned::Bool(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, Owned::Int(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, Owned::Uint(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, Owned::Real(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, Owned::Text(value.into()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.set(field, Owned::Text(format!("{value:?}")));
    }
}
