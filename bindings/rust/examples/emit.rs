// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! Emits the events that ../../check expects of each language: emit [refused | cost | more].
use ltt::{Blob, Event, Field, Recorded, Type};

ltt::event!(count, "lang", "count", i: i64);
ltt::event!(pub open, "lang", "open", fd: i32, path: &str, shorts: &[i16], f: f32, blob: Blob<'_>);
ltt::event!(twins, "lang", "twins", a: i32, b: &str, c: &str, d: &str, e: &str, f: &str, g: &str);
ltt::event!(cost, "lang", "cost", a: i64, b: i64);

fn emit() {
    let types = Event::new(
        "lang",
        "types",
        &[
            Field::new("yes", bool::TYPE),
            Field::new("n", i64::TYPE),
            Field::new("u", u64::TYPE),
            Field::new("small", i16::TYPE),
            Field::new("d", f64::TYPE),
            Field::new("text", Type::TEXT),
            Field::new("blob", Type::BLOB),
            Field::new("hex", u32::TYPE.hex()),
            Field::new("state", u8::TYPE).labels("idle=0,run=1"),
        ],
    )
    .unwrap();
    types
        .write(&[
            true.value(), (-5i64).value(), u64::MAX.value(), (-2i16).value(), 1.5f64.value(),
            "grüße".value(), Blob(&[0, 255]).value(), 0xbeefu32.value(), 1u8.value(),
        ])
        .unwrap();
    for i in 0..100 {
        count::write(i);
    }
}

fn refused() {
    let field = || Field::new("a", i64::TYPE);
    for made in [
        Event::new("lang", "a b", &[]),
        Event::new("lang", "a\0b", &[]),
        Event::new("lang", "x", &[Field::new("a b", i64::TYPE)]),
        Event::new("lang", "x", &[field(), field()]),
        Event::new("lang", "x", &[Field::new("a", Type::TEXT).labels("a=1")]),
    ] {
        assert!(!made.err().unwrap().to_string().is_empty());
        println!("refused");
    }
    assert!(twins::describe().is_err());
    twins::write(1, "", "", "", "", "", "");
    println!("refused");
}

fn more() {
    let event = Event::new("lang", "more", &[Field::new("n", i32::TYPE), Field::new("text", Type::TEXT)]).unwrap();
    assert!(event.enabled());
    for values in [
        &[1i32.value()][..], &[1i64.value(), "x".value()], &["x".value(), 1i32.value()],
        &[1i32.value(), "x".value(), 1i32.value()],
    ] {
        event.write(values).unwrap_err();
        println!("refused");
    }
    event.write(&[7i32.value(), "".value()]).unwrap();
    std::thread::spawn(|| open::write(3, "/etc", &[1, -1], 0.5, Blob(b"\x01"))).join().unwrap();
}

fn nanoseconds() {
    let best = (0..30)
        .map(|_| {
            let start = std::time::Instant::now();
            for i in 0..10000 {
                cost::write(i, i);
            }
            start.elapsed().as_nanos() as f64 / 10000.0
        })
        .fold(f64::INFINITY, f64::min);
    println!("{best:.1}");
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("refused") => refused(),
        Some("more") => more(),
        Some("cost") => nanoseconds(),
        _ => emit(),
    }
}
