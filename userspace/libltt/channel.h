/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Channels: the buffers that an lttd provides.
 *
 * Context of all functions, unless the function says otherwise: ltt_lock held, by the
 * library's thread.  None of them waits.
 */
#ifndef LTT_CHANNEL_H
#define LTT_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"
#include "common/shm.h"

struct ltt_channel;

/**
 * ltt_channels_have() - find out if a recorder has the channel of a message
 * @channels: the recorder's channels
 * @message: the message, whose buffers may be others than those that the recorder has
 */
bool ltt_channels_have(struct ltt_channel *const *channels, const struct ltt_program_channel *message);

/**
 * ltt_channels_find() - find the buffers of a channel
 * @channels: the recorder's channels
 * @number: of the channel
 *
 * Return: the buffers, or NULL.
 */
const struct ltt_shm *ltt_channels_find(struct ltt_channel *const *channels, uint32_t number);

/**
 * ltt_channels_add() - map the buffers of a message
 * @channels: the recorder's channels
 * @message: describes the buffers
 * @fd: their descriptor; -1: the descriptor table had no room for it
 *
 * If the recorder has the channel already, as the child of a fork() has its parent's, all
 * targets get the new buffers.  Each event is then recorded once, in the old buffers or in the
 * new ones.
 *
 * Return: 0; -EINPROGRESS: the old buffers were of another trace, and no event is recorded before
 * lttd's next answers; -EMFILE; -ENOMEM; an error of ltt_shm_map().
 */
int ltt_channels_add(struct ltt_channel **channels, const struct ltt_program_channel *message, int fd);

/**
 * ltt_channels_forked() - note that no page of the inherited buffers is mapped yet
 * @channels: the recorder's channels
 *
 * Context: the child of a fork(), before the library's thread exists.
 */
void ltt_channels_forked(struct ltt_channel **channels);

/**
 * ltt_channels_end() - forget the channels of an lttd that has gone
 * @channels: the recorder's channels; NULL afterwards
 */
void ltt_channels_end(struct ltt_channel **channels);

/**
 * ltt_channels_release() - release inherited buffers that no thread uses any more
 *
 * Return: true if some are still used, by threads without restartable sequences that have
 * emitted no event since.
 */
bool ltt_channels_release(void);

#endif /* LTT_CHANNEL_H */
