#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The build takes types only of the kernel that its headers belong to: foreign-kernel.sh KDIR FOLDER.

work=$2
collect=$(cd "$(dirname "$0")/../../modules/instrument/btf" && pwd)/collect
release=0.0-none
ours='#7 SMP Fri Nov 27 10:00:00 UTC 2026'
theirs='#8 SMP Sat Nov 28 10:00:00 UTC 2026'
kdir=$work/kdir
image=$kdir/installed/boot/vmlinuz-$release
module=installed/lib/modules/$release/kernel/a.ko
failed=0

# Instead of ltt-btf: the types of a file are its first word, if that is BTF-something.
tool=$work/tool
cat > "$tool" <<'END'
#!/bin/sh
case $1 in
kernel)	read -r types _ < "$3" && case $types in
	BTF-*)	echo "$types" > "$2/vmlinux.btf" ;;
	*)	echo "ltt-btf: $3: ${types:-it has no BTF}" >&2
		exit 1 ;;
	esac ;;
modules)
	dir=$2
	shift 2
	cat "$@" >> "$dir/modules" ;;
esac
END
chmod +x "$tool"

# kernel FILE TYPES VERSION: a kernel with a banner
kernel()
{
	printf '%s \nLinux version %s (a@b) (gcc 12) %s\n\n' "$2" "$release" "$3" > "$1"
}

# begin VERSION: headers of that version, or of none; a kernel that is not installed, and a module
begin()
{
	rm -rf "$kdir" "$work/types"
	mkdir -p "$kdir/include/generated" "$(dirname "$image")" "$(dirname "$kdir/$module")" "$work/types"
	[ -z "$1" ] || echo "#define UTS_VERSION \"$1\"" > "$kdir/include/generated/utsversion.h"
	echo installed > "$kdir/$module"
}

# takes NAME TYPES MODULES: these types are found
takes()
{
	rm -f "$work/types"/*
	if "$collect" "$tool" "$kdir" "$release" "$work/types" > "$work/out" 2>&1 &&
			[ "$(cat "$work/types/vmlinux.btf")" = "$2" ] && [ "$(cat "$work/types/modules" 2>/dev/null)" = "$3" ]; then
		echo "ok foreign-kernel/$1"
		return
	fi
	sed 's/^/# /' "$work/out" "$work"/types/*
	echo "not ok foreign-kernel/$1"
	failed=1
}

# refuses NAME [REASON]: no types are found, and the reason is given
refuses()
{
	if ! "$collect" "$tool" "$kdir" "$release" "$work/types" > "$work/out" 2>&1 &&
			grep -qF "${2:-$image is another build than that of the headers, $ours}" "$work/out"; then
		echo "ok foreign-kernel/$1"
		return
	fi
	sed 's/^/# /' "$work/out"
	echo "not ok foreign-kernel/$1"
	failed=1
}

begin "$ours"
kernel "$image" BTF-image "$ours"
takes same-build BTF-image installed

kernel "$image" BTF-image "$theirs"
refuses other-build

gzip -c "$image" > "$work/packed"
{ echo setup; cat "$work/packed"; } > "$image"
refuses other-build-packed

kernel "$image" unknown-kind "$ours"
refuses types-of-an-unknown-kind "; $image has types that cannot be used: unknown-kind"

begin ''
kernel "$image" BTF-image "$theirs"
takes headers-without-a-version BTF-image installed

# The packages of some kernels have the types beside the headers.
begin "$ours"
kernel "$image" BTF-image "$theirs"
echo BTF-alone > "$kdir/vmlinux"
takes types-beside-the-headers BTF-alone ''

# With these, the image has the groups of the events, and the types alone have not.
kernel "$image" BTF-image "$ours"
takes image-before-types-alone BTF-image installed

# A tree that was built, and the kernel that is installed, of another build.
begin "$ours"
kernel "$image" BTF-image "$theirs"
kernel "$kdir/vmlinux" BTF-tree "$ours"
rm -r "$kdir/installed/lib"
touch "$kdir/modules.order"
mkdir "$kdir/drivers"
echo tree > "$kdir/drivers/b.ko"
takes tree-before-image BTF-tree tree
exit "$failed"
