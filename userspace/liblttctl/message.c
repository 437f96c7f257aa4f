// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * core/'s encoding of messages, compiled for programs.  Layer: liblttctl.
 */
#include "../../core/message.c"
