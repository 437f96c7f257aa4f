# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Included by the scripts that fetch packages of other Debian releases: apt with a state of its own,
# and roots that packages are unpacked into. Nothing is installed on this machine, and no script of a
# package runs.
#
# The caller sets $work, and die().

mirror=${LTT_MIRROR:-http://deb.debian.org}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# sources_of SUITE: the lines of sources.list that its packages and their dependencies come from; of SUITE+src, the
# line of its source packages
sources_of()
{
	release=${1%%-*}
	case $1 in
	*+src)		echo "deb-src [signed-by=$keyring] $mirror/debian ${1%+src} main"
			return ;;
	esac
	echo "deb [signed-by=$keyring] $mirror/debian $release main"
	case $1 in
	*-security)	echo "deb [signed-by=$keyring] $mirror/debian-security $1 main" ;;
	*-*)		echo "deb [signed-by=$keyring] $mirror/debian $1 main" ;;
	esac
}

# apt_for SUITE COMMAND ARGUMENT...: a command of apt that knows that suite only, and of no package that
# is installed. Its state is in $work/apt. Images for containers have apt keep no cache, which makes each command
# read the package lists anew; so the cache is named here.
apt_for()
{
	apt=$work/apt/$1
	command=$2
	shift 2
	"$command" -q -o Dir::State="$apt" -o Dir::State::status=/dev/null -o Dir::Cache="$apt/cache" \
		-o Dir::Cache::pkgcache=pkgcache.bin \
		-o Dir::Etc="$apt" -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- \
		-o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Sandbox::User=root \
		-o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@"
}

# update SUITE: make its lists new, unless that was done within the hour. Another script may do so just now.
update()
(
	apt=$work/apt/$1
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/preferences.d" "$apt/apt.conf.d" \
		"$apt/trusted.gpg.d"
	exec 8> "$apt/updating"
	flock 8
	[ -z "$(find "$apt/updated" -mmin -60 2>/dev/null)" ] || return 0
	sources_of "$1" > "$apt/sources.list"
	apt_for "$1" apt-get update -o APT::Update::Error-Mode=any > "$apt/log" 2>&1 || return 1
	touch "$apt/updated"
)

# version_in SUITE PACKAGE: the newest that this suite itself has, or nothing
version_in()
{
	apt_for "$1" apt-cache madison "$2" |
		awk -F ' *[|] *' -v suite=" $1/main " 'index(" " $3, suite) { print $2; exit }'
}

# unpack ROOT DEB...: the link of /lib to /usr/lib, and those like it, stay
unpack()
{
	into=$1
	shift
	for dir in bin sbin lib lib64; do
		mkdir -p "$into/usr/$dir"
		[ -e "$into/$dir" ] || ln -s "usr/$dir" "$into/$dir"
	done
	for deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -C "$into" -x --keep-directory-symlink --no-same-owner || return 1
	done
}
