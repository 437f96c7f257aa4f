// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Loading the tracer's kernel modules.
 *
 * Layer: liblttctl.  libkmod finds installed modules and reads modprobe's configuration.  It is opened only
 * where a module is missing: it brings libcrypto, whose relocations take longer than most commands of lttctl.
 */
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

#define CALLS(CALL)				\
	CALL(kmod_new)				\
	CALL(kmod_unref)			\
	CALL(kmod_set_log_fn)			\
	CALL(kmod_list_next)			\
	CALL(kmod_module_get_info)		\
	CALL(kmod_module_info_get_key)		\
	CALL(kmod_module_info_free_list)	\
	CALL(kmod_module_new_from_path)		\
	CALL(kmod_module_new_from_lookup)	\
	CALL(kmod_module_get_module)		\
	CALL(kmod_module_insert_module)		\
	CALL(kmod_module_probe_insert_module)	\
	CALL(kmod_module_unref)			\
	CALL(kmod_module_unref_list)

/**
 * struct kmod - libkmod, as long as it is open
 * @library: of dlopen()
 * @ctx: its context
 *
 * and a pointer to each of CALLS, of the same name.
 */
struct kmod {
	void *library;
	struct kmod_ctx *ctx;
#define MEMBER(call)	__typeof__(call) *call;
	CALLS(MEMBER)
#undef MEMBER
};

/* The library never prints. */
static void log_nothing(void *data, int priority, const char *file, int line, const char *fn,
			const char *format, va_list args)
{
	(void)data, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

static bool find_calls(struct kmod *kmod)
{
#define FIND(call)							\
	kmod->call = (__typeof__(kmod->call))dlsym(kmod->library, #call); \
	if (!kmod->call)						\
		return false;
	CALLS(FIND)
#undef FIND
	return true;
}

static int open_kmod(struct lttctl *ctl, struct kmod *kmod)
{
	int err;

	kmod->library = dlopen("libkmod.so.2", RTLD_NOW | RTLD_LOCAL);
	if (!kmod->library)
		return lttctl_fail(ctl, -ELIBACC, "cannot load kernel modules, for which libkmod is needed: %s", dlerror());
	if (!find_calls(kmod)) {
		err = lttctl_fail(ctl, -ELIBBAD, "cannot load kernel modules by this libkmod: %s", dlerror());
		goto err_close;
	}
	kmod->ctx = kmod->kmod_new(NULL, NULL);
	if (!kmod->ctx) {
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
		goto err_close;
	}
	kmod->kmod_set_log_fn(kmod->ctx, log_nothing, NULL);
	return 0;

err_close:
	dlclose(kmod->library);
	return err;
}

static void close_kmod(struct kmod *kmod)
{
	kmod->kmod_unref(kmod->ctx);
	dlclose(kmod->library);
}

/* Return: true when the module is in the kernel and has started. */
static bool is_live(const char *name)
{
	char path[128], state[5] = "", *dash;
	int fd;

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	for (dash = path; (dash = strchr(dash, '-')); )
		*dash = '_';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, state, sizeof(state) - 1) < 0)
		*state = '\0';
	close(fd);
	return !strcmp(state, "live");
}

/* A module that cannot be read counts as signed: the kernel rejects it for another reason. */
static bool is_signed(const struct kmod *kmod, const struct kmod_module *module)
{
	struct kmod_list *info = NULL, *at;
	bool is = false;

	if (kmod->kmod_module_get_info(module, &info) < 0)
		return true;
	for (at = info; at && !is; at = kmod->kmod_list_next(info, at))
		is = !strcmp(kmod->kmod_module_info_get_key(at), "sig_id");
	kmod->kmod_module_info_free_list(info);
	return is;
}

static int fail(struct lttctl *ctl, const struct kmod *kmod, int err, const char *name, const struct kmod_module *module)
{
	bool may_lack = err == -EKEYREJECTED || err == -EPERM;

	return lttctl_fail_load(ctl, err, name, !may_lack || is_signed(kmod, module));
}

/* Find a module in LTT_MODULES_DIR, laid out as the build tree or flat.  DKMS of Debian 13 compresses modules. */
static bool find_file(char path[static 4096], const char *dir, size_t nr)
{
	static const char *const suffixes[] = { "", ".xz", ".zst", ".gz" };
	size_t i;

	for (i = 0; i < 2 * sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(path, 4096, "%s/%s%s%s.ko%s", dir, i % 2 ? "" : modules[nr].folder, i % 2 ? "" : "/",
			 modules[nr].name, suffixes[i / 2]);
		if (!access(path, R_OK))
			return true;
		if (errno != ENOENT)
			return false;
	}
	snprintf(path, 4096, "%s/%s.ko", dir, modules[nr].name);
	return false;
}

/* Load a file of LTT_MODULES_DIR. */
static int load_file(struct lttctl *ctl, struct kmod *kmod, const char *dir, size_t nr)
{
	struct kmod_module *module;
	char path[4096];
	int err;

	if (!find_file(path, dir, nr))
		return lttctl_fail(ctl, -errno, "cannot open %s, named by LTT_MODULES_DIR: %s",
				   path, strerror(errno));
	err = kmod->kmod_module_new_from_path(kmod->ctx, path, &module);
	if (err)
		return lttctl_fail_load(ctl, err, path, true);
	err = kmod->kmod_module_insert_module(module, 0, "");
	if (err == -EEXIST)
		err = 0;
	if (err)
		err = fail(ctl, kmod, err, path, module);
	kmod->kmod_module_unref(module);
	return err;
}

/* Load an installed module as modprobe(8) does. */
static int load_installed(struct lttctl *ctl, struct kmod *kmod, const char *name)
{
	struct kmod_list *found = NULL;
	struct kmod_module *module;
	int err;

	err = kmod->kmod_module_new_from_lookup(kmod->ctx, name, &found);
	if (err == -ENOENT || (!err && !found))
		return lttctl_fail_not_installed(ctl, name);
	if (err)
		return lttctl_fail_load(ctl, err, name, true);
	module = kmod->kmod_module_get_module(found);
	err = kmod->kmod_module_probe_insert_module(module, 0, NULL, NULL, NULL, NULL);
	if (err == -EEXIST)
		err = 0;
	if (err)
		err = fail(ctl, kmod, err, name, module);
	kmod->kmod_module_unref(module);
	kmod->kmod_module_unref_list(found);
	return err;
}

int lttctl_load(struct lttctl *ctl)
{
	const char *dir = secure_getenv("LTT_MODULES_DIR");
	const char *tree = secure_getenv("LTT_DEBUGFS");
	struct kmod kmod = { .library = NULL };
	int err = 0;
	size_t i;

	if (tree && *tree)
		return 0;
	for (i = 0; !err && i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (is_live(modules[i].name))
			continue;
		if (!kmod.library)
			err = open_kmod(ctl, &kmod);
		if (!err)
			err = dir && *dir ? load_file(ctl, &kmod, dir, i)
					  : load_installed(ctl, &kmod, modules[i].name);
	}
	if (kmod.ctx)
		close_kmod(&kmod);
	ctl->mounts = !err;
	return err;
}
