// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! Events that lttctl records.  README.md has an example.
//!
//! [`event!`] defines an event with fields of Rust's types.  [`Event`] describes one while the
//! program runs.  The crate `tracing-ltt` beside this one records the events and spans of `tracing`.
mod ffi;

use std::ffi::{CStr, CString};
use std::fmt;
use std::sync::atomic::Ordering;

/// Fields of an event, at most.
pub const FIELDS_MAX: usize = 12;

/// The reason why an event was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type(u32);

impl Type {
    /// Text: at most 4095 bytes are recorded.  It counts as two of the 12 fields.
    pub const TEXT: Type = Type(ffi::TEXT);
    /// Bytes, shown in hexadecimal: at most 4096.  It counts as two of the 12 fields.
    pub const BLOB: Type = Type(ffi::BLOB);

    /// An integer that is shown in hexadecimal.
    pub const fn hex(self) -> Type {
        Type(self.0 | ffi::HEX)
    }
}

/// The value of a field.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: ffi::Value,
    kind: Type,
    borrowed: std::marker::PhantomData<&'a [u8]>,
}

impl<'a> Value<'a> {
    /// A text that is not in a variable of type `&str`.
    pub fn of_text(text: &'a str) -> Self {
        of(Type::TEXT, ffi::Word { p: text.as_ptr().cast() }, text.len())
    }
}

/// Types of Rust that a field can have.
pub trait Recorded {
    /// The field's type.
    const TYPE: Type;

    /// The value, which borrows from `self` if that is text or a slice.
    fn value(&self) -> Value<'_>;
}

fn of<'a>(kind: Type, word: ffi::Word, length: usize) -> Value<'a> {
    Value { raw: ffi::Value { word, length }, kind, borrowed: std::marker::PhantomData }
}

macro_rules! record_integers {
    ($($type:ty, $kind:ident, $member:ident as $as:ty;)*) => { $(
        impl Recorded for $type {
            const TYPE: Type = Type(ffi::$kind);
            fn value(&self) -> Value<'_> {
                of(Self::TYPE, ffi::Word { $member: *self as $as }, 0)
            }
        }

        /// A sequence of at most 4096 bytes.  It counts as two of the 12 fields.
        impl Recorded for &[$type] {
            const TYPE: Type = Type(ffi::$kind | ffi::SEQUENCE);
            fn value(&self) -> Value<'_> {
                of(Self::TYPE, ffi::Word { p: self.as_ptr().cast() }, self.len())
            }
        }
    )* };
}

record_integers! {
    bool, BOOL, u as u64;
    i8, S8, s as i64;
    u8, U8, u as u64;
    i16, S16, s as i64;
    u16, U16, u as u64;
    i32, S32, s as i64;
    u32, U32, u as u64;
    i64, S64, s as i64;
    u64, U64, u as u64;
    isize, S64, s as i64;
    usize, U64, u as u64;
}

impl Recorded for f32 {
    const TYPE: Type = Type(ffi::FLOAT);
    fn value(&self) -> Value<'_> {
        of(Self::TYPE, ffi::Word { f: *self }, 0)
    }
}

impl Recorded for f64 {
    const TYPE: Type = Type(ffi::DOUBLE);
    fn value(&self) -> Value<'_> {
        of(Self::TYPE, ffi::Word { d: *self }, 0)
    }
}

impl Recorded for &str {
    const TYPE: Type = Type::TEXT;
    fn value(&self) -> Value<'_> {
        Value::of_text(self)
    }
}

/// Bytes that are shown in hexadecimal.
pub struct Blob<'a>(pub &'a [u8]);

impl Recorded for Blob<'_> {
    const TYPE: Type = Type::BLOB;
    fn value(&self) -> Value<'_> {
        of(Self::TYPE, ffi::Word { p: self.0.as_ptr().cast() }, self.0.len())
    }
}

/// A field of an event.
pub struct Field<'a> {
    name: &'a str,
    kind: Type,
    labels: Option<&'a str>,
}

impl<'a> Field<'a> {
    /// A field with a name, which is a C identifier.
    pub fn new(name: &'a str, kind: Type) -> Self {
        Field { name, kind, labels: None }
    }

    /// Names of the values of an integer: `"idle=0,running=1"`.
    pub fn labels(self, labels: &'a str) -> Self {
        Field { labels: Some(labels), ..self }
    }
}

/// An event, which lives as long as the program.
pub struct Event {
    raw: *mut ffi::Event,
    kinds: Vec<Type>,
}

// The library's functions may be called by any thread.
unsafe impl Send for Event {}
unsafe impl Sync for Event {}

fn text(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error(format!("{text:?}: it has a NUL")))
}

fn pointer(text: &Option<CString>) -> *const std::os::raw::c_char {
    text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

impl Event {
    /// Describe an event.  Waits until each lttd that runs records it: see ltt_event_create(3).
    #[track_caller]
    pub fn new(group: &str, name: &str, fields: &[Field]) -> Result<Event, Error> {
        let place = std::panic::Location::caller();
        Self::at(group, name, fields, place.file(), place.line())
    }

    /// The same, for a place in the source.
    pub fn at(group: &str, name: &str, fields: &[Field], file: &str, line: u32) -> Result<Event, Error> {
        let (group, name, file) = (text(group)?, text(name)?, text(file)?);
        let mut texts = Vec::new();
        for field in fields {
            texts.push((text(field.name)?, field.labels.map(text).transpose()?));
        }
        let described: Vec<ffi::Field> = fields
            .iter()
            .zip(&texts)
            .map(|(field, (name, labels))| ffi::Field {
                name: name.as_ptr(),
                labels: pointer(labels),
                kind: field.kind.0,
                reserved: 0,
            })
            .collect();
        let mut message = [0u8; 256];
        let options = ffi::Options {
            size: std::mem::size_of::<ffi::Options>(),
            file: file.as_ptr(),
            line,
            message: message.as_mut_ptr().cast(),
            message_size: message.len(),
        };
        let nr = described.len().min(u32::MAX as usize) as u32;
        // All pointers are to texts and arrays that live until the call returns.
        let raw = unsafe {
            ffi::ltt_event_create_with(group.as_ptr(), name.as_ptr(), described.as_ptr(), nr, &options)
        };
        if raw.is_null() {
            let reason = unsafe { CStr::from_ptr(message.as_ptr().cast()) };
            return Err(Error(reason.to_string_lossy().into_owned()));
        }
        Ok(Event { raw, kinds: fields.iter().map(|field| field.kind).collect() })
    }

    /// Is the event recorded now?  A load of a byte.
    #[inline]
    pub fn enabled(&self) -> bool {
        // An event is never freed.
        unsafe { (*self.raw).enabled.load(Ordering::Relaxed) != 0 }
    }

    /// Emit the event.  While it is not recorded, this does not look at the values.
    pub fn write(&self, values: &[Value]) -> Result<(), Error> {
        if !self.enabled() {
            return Ok(());
        }
        if values.len() != self.kinds.len() {
            return Err(Error(format!("the event has {} fields, not {}", self.kinds.len(), values.len())));
        }
        let mut raw = [ffi::Value { word: ffi::Word { u: 0 }, length: 0 }; FIELDS_MAX];
        for (i, value) in values.iter().enumerate() {
            if value.kind.0 != self.kinds[i].0 & !ffi::HEX {
                return Err(Error(format!("field {i} has another type")));
            }
            raw[i] = value.raw;
        }
        // There are as many values as fields, of their types, and they are borrowed until here.
        unsafe { ffi::ltt_event_write(self.raw, raw.as_ptr()) };
        Ok(())
    }
}

/// Define an event with fields of Rust's types, as a module with a function `write`.
///
/// ```ignore
/// ltt::event!(pub open, "app", "open", fd: i32, path: &str);
///
/// open::write(3, "/etc/passwd");
/// ```
///
/// `open::describe()` makes the event known before its first use, and returns the reason if that
/// fails; `open::enabled()` is true while it is recorded.
#[macro_export]
macro_rules! event {
    ($vis:vis $id:ident, $group:expr, $name:expr $(, $field:ident : $type:ty)* $(,)?) => {
        #[allow(dead_code)]
        $vis mod $id {
            #[allow(unused_imports)]
            use super::*;
            use $crate::Recorded as _;

            pub fn describe() -> Result<&'static $crate::Event, $crate::Error> {
                static EVENT: $crate::Once<Result<$crate::Event, $crate::Error>> = $crate::Once::new();

                EVENT
                    .get(|| $crate::Event::new($group, $name,
                        &[$($crate::Field::new(stringify!($field), <$type as $crate::Recorded>::TYPE)),*]))
                    .as_ref()
                    .map_err(|error| error.clone())
            }

            #[inline]
            pub fn enabled() -> bool {
                describe().map_or(false, |event| event.enabled())
            }

            #[inline]
            pub fn write($($field: $type),*) {
                if let Ok(event) = describe() {
                    if event.enabled() {
                        // The values have the types of the fields.
                        let _ = event.write(&[$($field.value()),*]);
                    }
                }
            }
        }
    };
}

/// A value that is made at its first use; for [`event!`].
#[doc(hidden)]
pub struct Once<T> {
    once: std::sync::Once,
    value: std::cell::UnsafeCell<Option<T>>,
}

// `once` orders the only write before all reads.
unsafe impl<T: Send + Sync> Sync for Once<T> {}

impl<T> Once<T> {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Once { once: std::sync::Once::new(), value: std::cell::UnsafeCell::new(None) }
    }

    #[inline]
    pub fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.once.call_once(|| unsafe { *self.value.get() = Some(make()) });
        unsafe { (*self.value.get()).as_ref().unwrap_unchecked() }
    }
}
