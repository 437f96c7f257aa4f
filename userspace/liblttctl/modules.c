// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Loading the tracer's kernel modules.
 *
 * Layer: liblttctl.  libkmod finds installed modules and reads modprobe's
 * configuration.
 */
#include "internal.h"

#include <errno.h>
#include <libkmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each module needs only modules above it. */
static const struct {
	const char *name;
	const char *folder;	/* in the build tree */
} modules[] = {
	{ "ltt-timestamp", "timestamp" },
	{ "ltt-relay", "relay" },
	{ "ltt-markers", "markers" },
	{ "ltt-tracer", "tracer" },
	{ "ltt-tracepoints", "instrument" },
	{ "ltt-probes", "instrument/probes" },
	{ "ltt-syscalls", "instrument/syscalls" },
	{ "ltt-heartbeat", "heartbeat" },
	{ "ltt-control", "control" },
};

/* The library never prints. */
static void log_nothing(void *data, int priority, const char *file, int line, const char *fn,
			const char *format, va_list args)
{
	(void)data, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

/* Return: true when the module is in the kernel, or built into it. */
static bool is_loaded(struct kmod_ctx *kmod, const char *name)
{
	struct kmod_module *module;
	int state;

	if (kmod_module_new_from_name(kmod, name, &module))
		return false;
	state = kmod_module_get_initstate(module);
	kmod_module_unref(module);
	return state == KMOD_MODULE_LIVE || state == KMOD_MODULE_BUILTIN;
}

/* Load a file of LTT_MODULES_DIR, laid out as the build tree or flat. */
static int load_file(struct lttctl *ctl, struct kmod_ctx *kmod, const char *dir, size_t nr)
{
	struct kmod_module *module;
	char path[4096];
	int err;

	snprintf(path, sizeof(path), "%s/%s/%s.ko", dir, modules[nr].folder, modules[nr].name);
	if (access(path, R_OK) && errno == ENOENT)
		snprintf(path, sizeof(path), "%s/%s.ko", dir, modules[nr].name);
	if (access(path, R_OK))
		return lttctl_fail(ctl, -errno, "cannot open %s, named by LTT_MODULES_DIR: %s",
				   path, strerror(errno));
	err = kmod_module_new_from_path(kmod, path, &module);
	if (!err) {
		err = kmod_module_insert_module(module, 0, "");
		kmod_module_unref(module);
	}
	if (err && err != -EEXIST)
		return lttctl_fail_load(ctl, err, path);
	return 0;
}

/* Load an installed module as modprobe(8) does. */
static int load_installed(struct lttctl *ctl, struct kmod_ctx *kmod, const char *name)
{
	struct kmod_list *found = NULL;
	struct kmod_module *module;
	int err;

	err = kmod_module_new_from_lookup(kmod, name, &found);
	if (err == -ENOENT || (!err && !found))
		return lttctl_fail_not_installed(ctl, name);
	if (!err) {
		module = kmod_module_get_module(found);
		err = kmod_module_probe_insert_module(module, 0, NULL, NULL, NULL, NULL);
		kmod_module_unref(module);
	}
	kmod_module_unref_list(found);
	if (!err || err == -EEXIST)
		return 0;
	return lttctl_fail_load(ctl, err, name);
}

int lttctl_load(struct lttctl *ctl)
{
	const char *dir = secure_getenv("LTT_MODULES_DIR");
	const char *tree = secure_getenv("LTT_DEBUGFS");
	struct kmod_ctx *kmod;
	int err = 0;
	size_t i;

	if (tree && *tree)
		return 0;
	kmod = kmod_new(NULL, NULL);
	if (!kmod)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	kmod_set_log_fn(kmod, log_nothing, NULL);
	for (i = 0; !err && i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (is_loaded(kmod, modules[i].name))
			continue;
		err = dir && *dir ? load_file(ctl, kmod, dir, i)
				  : load_installed(ctl, kmod, modules[i].name);
	}
	kmod_unref(kmod);
	ctl->mounts = !err;
	return err;
}
