// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//! Links with libltt: in $LTT_LIBDIR, or where pkg-config finds it.
use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=LTT_LIBDIR");
    let folder = env::var("LTT_LIBDIR").ok().or_else(|| {
        let found = Command::new("pkg-config").args(["--variable=libdir", "ltt"]).output().ok()?;
        let folder = String::from_utf8(found.stdout).ok()?.trim().to_string();
        (!folder.is_empty()).then_some(folder)
    });
    if let Some(folder) = folder {
        println!("cargo:rustc-link-search=native={folder}");
        println!("cargo:rustc-link-arg-examples=-Wl,-rpath,{folder}");
    }
    println!("cargo:rustc-link-lib=dylib=ltt");
}
