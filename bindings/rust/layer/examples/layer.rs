// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! Emits the events and spans that ../../../check expects of the layer.
use tracing::{debug, error, info, info_span, warn};
use tracing_subscriber::prelude::*;

fn work(depth: u64) {
    let span = info_span!(target: "shop::cart", "work", depth, late = tracing::field::Empty);

    span.record("late", "set");
    span.in_scope(|| {
        if depth > 0 {
            work(depth - 1);
        }
    });
}

fn main() {
    tracing_subscriber::registry().with(tracing_ltt::LttLayer::new()).init();
    info!(target: "shop::cart", user = 7u64, delta = -1i64, ok = true, ratio = 0.5, name = "Ada", "logged {}", "in");
    error!(target: "shop", { http.status = 500u64, why = ?Some(1) }, "failed");
    warn!(target: "shop", "odd");
    debug!(target: "shop", a = 1u64, b = 2u64, c = 3u64, d = 4u64, e = 5u64, f = 6u64, g = 7u64, h = 8u64, i = 9u64, j = 10u64,
           k = 11u64, l = "x", m = 13u64);
    for value in [Some(1u64), None] {
        // A field without a value is not recorded.
        info!(target: "shop", value, "maybe");
    }
    work(1);
    std::thread::spawn(|| work(0)).join().unwrap();
}
