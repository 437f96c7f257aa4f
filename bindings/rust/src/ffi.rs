// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! The interface of <ltt/event.h>.
use std::os::raw::{c_char, c_uint, c_void};

pub const BOOL: c_uint = 1;
pub const S8: c_uint = 2;
pub const U8: c_uint = 3;
pub const S16: c_uint = 4;
pub const U16: c_uint = 5;
pub const S32: c_uint = 6;
pub const U32: c_uint = 7;
pub const S64: c_uint = 8;
pub const U64: c_uint = 9;
pub const FLOAT: c_uint = 10;
pub const DOUBLE: c_uint = 11;
pub const TEXT: c_uint = 13;
pub const BLOB: c_uint = 14;
pub const HEX: c_uint = 0x100;
pub const SEQUENCE: c_uint = 0x200;

/// The first byte is not 0 while the event is recorded; the library changes it.
#[repr(C)]
pub struct Event {
    pub enabled: std::sync::atomic::AtomicU8,
}

#[repr(C)]
pub struct Field {
    pub name: *const c_char,
    pub labels: *const c_char,
    pub kind: c_uint,
    pub reserved: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union Word {
    pub s: i64,
    pub u: u64,
    pub d: f64,
    pub f: f32,
    pub p: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    pub word: Word,
    pub length: usize,
}

#[repr(C)]
pub struct Options {
    pub size: usize,
    pub file: *const c_char,
    pub line: c_uint,
    pub message: *mut c_char,
    pub message_size: usize,
}

extern "C" {
    pub fn ltt_event_create_with(
        group: *const c_char,
        name: *const c_char,
        fields: *const Field,
        nr: c_uint,
        options: *const Options,
    ) -> *mut Event;
    pub fn ltt_event_write(event: *mut Event, values: *const Value);
}
