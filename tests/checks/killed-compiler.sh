#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# A compiler that is killed, as for want of memory, gives no answer about the kernel: killed-compiler.sh KDIR FOLDER.

work=$2
compat=$work/modules/compat
failed=0
mkdir -p "$compat"
cp "$(dirname "$0")/../../modules/compat/conftest" "$compat"
printf '%s\n' 'module | linux/module.h |' 'linux_6_1 | linux/types.h |' 'ASKED | linux/types.h |' > "$compat/probes"
: > "$compat/features"
cat > "$work/killed" <<'END'
#!/bin/sh
case " $* " in
*[/\ ]ASKED.c\ *)
	echo 'gcc: fatal error: Killed signal terminated program cc1' >&2
	exit 1 ;;
esac
exec gcc "$@"
END
chmod +x "$work/killed"

# check NAME COMMAND...
check()
{
	name=$1
	shift
	if "$@" > "$work/said" 2>&1; then
		echo "ok killed-compiler/$name"
		return
	fi
	sed 's/^/# /' "$work/said"
	echo "not ok killed-compiler/$name"
	failed=1
}

refuses()
{
	! LTT_TOOLS="CC=$work/killed" sh "$compat/conftest" "$1" > "$work/refusal" 2>&1 && [ ! -e "$compat/generated.h" ] &&
		grep 'was killed' "$work/refusal"
}

answers()
{
	sh "$compat/conftest" "$1" && grep -qx '#define LTT_HAVE_ASKED 1' "$compat/generated.h"
}

check gives_no_answer refuses "$1"
check is_asked_again answers "$1"
exit $failed
