// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/'s encoding of messages, compiled for the kernel.  Layer: control.
 */
#include "../../../core/message.c"
