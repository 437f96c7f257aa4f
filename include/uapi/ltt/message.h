/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Messages of /dev/ltt: commands in, replies and notifications out.  doc/device.md has
 * an example.  The design follows R. McGrath, "ntrace" (utrace-devel, 2 July 2008).
 *
 * A word is an unsigned long of the program that opened the device, in native byte
 * order: 4 bytes or 8.  A message is
 *
 *   word		bytes of the whole message: a multiple of the word
 *   word		number of the command
 *   word		cookie: any number; the reply has the same
 *   words		the arguments; a blob has its length in bytes here
 *   bytes		the blobs, in the order of the arguments, without gaps
 *   padding		zeros up to a whole word
 *
 * For example {word 1, blob A, word 2, blob B} is 1, length of A, 2, length of B, bytes of
 * A, bytes of B, padding.  The size lets a reader skip a command that it does not know.
 *
 * Replies and notifications have three arguments: a word, a blob, a word.  These are
 * the errno or 0, the text or the sentence of the error, and a new descriptor or a
 * number.
 */
#ifndef LTT_UAPI_MESSAGE_H
#define LTT_UAPI_MESSAGE_H

/* The longest command, in bytes.  A reply has at most 1 MiB of text. */
#define LTT_MESSAGE_MAX		65536

/* Words before the arguments: size, command, cookie. */
#define LTT_MESSAGE_HEAD	3

/* The command that lists all commands has this number in every version. */
#define LTT_COMMAND_COMMANDS	0

/*
 * A command by its name, in place of its number.  The only argument is a blob with the
 * name of the command and its arguments as text, each on a line of its own.  The command
 * is about the same traces as other commands of this descriptor; with
 * LTT_MESSAGE_CALL_SHARED it is about the traces of debugfs.
 */
#define LTT_MESSAGE_CALL	65535
#define LTT_MESSAGE_CALL_SHARED	65534

/* Notifications have numbers from here on where a reply has that of its command.  The
 * command "notifications" lists them. */
#define LTT_NOTIFICATION_BASE	65536

#endif /* LTT_UAPI_MESSAGE_H */
