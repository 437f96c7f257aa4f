// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Error sentences about a kernel module that cannot be loaded: the cause, and what to do.
 *
 * Layer: liblttctl, below modules.c.  doc/install.md has the same causes.
 */
#include "internal.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Does a short file of the kernel contain the text?  Not if it cannot be read. */
static bool file_has(const char *path, const char *text)
{
	char content[256];
	FILE *file = fopen(path, "re");
	size_t len;

	if (!file)
		return false;
	len = fread(content, 1, sizeof(content) - 1, file);
	fclose(file);
	content[len] = '\0';
	return strstr(content, text) != NULL;
}

static bool is_locked_down(void)
{
	const char *path = "/sys/kernel/security/lockdown";

	return file_has(path, "[integrity]") || file_has(path, "[confidentiality]");
}

#define ENROL "the kernel loads only modules that are signed with a key which the machine trusts; " \
	"to enrol the key of DKMS, run `mokutil --import /var/lib/dkms/mok.pub` and reboot"
#define SIGN "the kernel loads only modules that are signed with a key which the machine trusts, and this one has no " \
	"signature: run `make uninstall` if it is of a source tree, and install ltt-dkms, so that DKMS builds and signs it"

/* Root in a container may lack the capability. */
static bool may_load(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &header, data) && data[0].effective & 1U << CAP_SYS_MODULE;
}

/* Return: why the right to load modules is missing, and what to do. */
static const char *explain_permission(bool is_signed)
{
	if (file_has("/proc/sys/kernel/modules_disabled", "1"))
		return "kernel.modules_disabled is 1, so the kernel loads no module before it is booted again";
	if (!may_load())
		return "it needs root (CAP_SYS_MODULE)";
	if (is_locked_down())
		return is_signed ? "the kernel is locked down: " ENROL : "the kernel is locked down: " SIGN;
	return "it needs CAP_SYS_MODULE outside of containers";
}

int lttctl_fail_load(struct lttctl *ctl, int err, const char *module, bool is_signed)
{
	struct utsname kernel;
	int error = -err;

	uname(&kernel);		/* it fails for a bad pointer only */
	switch (error) {
	case EKEYREJECTED:
		return lttctl_fail(ctl, err, "cannot load %s: %s: %s", module, strerror(error), is_signed ? ENROL : SIGN);
	case ENOEXEC:
		return lttctl_fail(ctl, err, "cannot load %s: %s: it is not a module for kernel %s: install linux-headers-%s, so that DKMS builds it, or build it again",
				   module, strerror(error), kernel.release, kernel.release);
	case EPERM:
		return lttctl_fail(ctl, err, "cannot load %s: %s: %s", module, strerror(error),
				   explain_permission(is_signed));
	default:
		return lttctl_fail(ctl, err, "cannot load %s: %s (dmesg may have the reason)", module,
				   strerror(error));
	}
}

int lttctl_fail_not_installed(struct lttctl *ctl, const char *module)
{
	struct utsname kernel;

	uname(&kernel);
	return lttctl_fail(ctl, -ENOENT, "cannot load %s: the module is not installed for kernel %s: install ltt-dkms and linux-headers-%s (if both are installed, run `dpkg-reconfigure ltt-dkms`), or set LTT_MODULES_DIR to the modules directory of a build tree",
			   module, kernel.release, kernel.release);
}
