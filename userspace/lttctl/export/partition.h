/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A folder of tables that many recordings are added to, by host, day and event.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_PARTITION_H
#define LTTCTL_EXPORT_PARTITION_H

/**
 * partition_add() - add one recording to a folder
 * @folder: the folder, which is created if it does not exist
 * @dirs: the directory of the recording, those of states that belong to it, NULL
 *
 * A file of the folder is whole.  After a failure some files of the recording may be there: they have the right name and content.
 *
 * Return: an exit status, after a message.
 */
int partition_add(const char *folder, const char *const *dirs);

#endif /* LTTCTL_EXPORT_PARTITION_H */
