// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The handle, and the choice of the face.
 *
 * Layer: liblttctl.
 */
#include "connection.h"
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void lttctl_keep_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

void lttctl_raise_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct lttctl *lttctl_new(void)
{
	struct lttctl *ctl = calloc(1, sizeof(*ctl));

	if (ctl)
		ctl->root = -1;
	return ctl;
}

void lttctl_free(struct lttctl *ctl)
{
	if (!ctl)
		return;
	if (ctl->root >= 0)
		close(ctl->root);
	lttctl_connection_close(ctl->connection);
	free(ctl);
}

/* ---- The choice of the face ---- */

int lttctl_parse_via(const char *name, enum lttctl_via *via)
{
	if (!strcmp(name, "debugfs"))
		*via = LTTCTL_VIA_DEBUGFS;
	else if (!strcmp(name, "device"))
		*via = LTTCTL_VIA_DEVICE;
	else
		return -EINVAL;
	return 0;
}

void lttctl_set_via(struct lttctl *ctl, enum lttctl_via via)
{
	ctl->via = via;
}

static bool is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value;
}

/* A variable that says where a face is also chooses that face. */
static int choose_via(struct lttctl *ctl)
{
	if (ctl->via != LTTCTL_VIA_ANY)
		return 0;
	if (is_set("LTT_VIA")) {
		if (!lttctl_parse_via(secure_getenv("LTT_VIA"), &ctl->via))
			return 0;
		return lttctl_fail(ctl, -EINVAL, "LTT_VIA is `%.40s`: use debugfs or device",
				   secure_getenv("LTT_VIA"));
	}
	if (is_set("LTT_DEVICE"))
		ctl->via = LTTCTL_VIA_DEVICE;
	else if (is_set("LTT_DEBUGFS"))
		ctl->via = LTTCTL_VIA_DEBUGFS;
	return 0;
}

static int connect_to(struct lttctl *ctl, const struct lttctl_face *face)
{
	int err = face->connect(ctl);

	if (!err)
		ctl->face = face;
	return err;
}

/* When neither face can be used, the sentence is about the device. */
static int connect_any(struct lttctl *ctl)
{
	char why[sizeof(ctl->error)];
	int err;

	err = connect_to(ctl, &lttctl_face_device);
	if (!err)
		return 0;
	strcpy(why, ctl->error);
	if (!connect_to(ctl, &lttctl_face_debugfs))
		return 0;
	return lttctl_fail(ctl, err, "%s", why);
}

static int connect_forced(struct lttctl *ctl)
{
	char why[sizeof(ctl->error)];
	int err;

	if (ctl->via == LTTCTL_VIA_DEBUGFS)
		return connect_to(ctl, &lttctl_face_debugfs);
	err = connect_to(ctl, &lttctl_face_device);
	if (!err)
		return 0;
	strcpy(why, ctl->error);
	return lttctl_fail(ctl, err, "%s; or use --via debugfs", why);
}

int lttctl_connect(struct lttctl *ctl)
{
	int err;

	if (ctl->face)
		return 0;
	err = choose_via(ctl);
	if (err)
		return err;
	return ctl->via == LTTCTL_VIA_ANY ? connect_any(ctl) : connect_forced(ctl);
}

int lttctl_connect_private(struct lttctl *ctl)
{
	ctl->private = true;
	return lttctl_connect(ctl);
}

bool lttctl_is_private(const struct lttctl *ctl)
{
	return ctl->private && ctl->connection;
}

int lttctl_private_fd(struct lttctl *ctl)
{
	return lttctl_ask(ctl, NULL, "stream", NULL, NULL,
			  "open another control connection for lttd");
}

int lttctl_connect_fd(struct lttctl *ctl, int fd)
{
	int err = lttctl_connection_attach(ctl, fd, &ctl->connection);

	if (err)
		return err;
	ctl->private = true;
	ctl->face = &lttctl_face_device;
	return 0;
}
