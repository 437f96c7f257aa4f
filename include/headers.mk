# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The headers that "make install" puts into PREFIX/include/ltt.  Makefiles include
# this file; its paths are relative to the folder of the Makefile.

ltt_include := $(patsubst %/headers.mk,%,$(lastword $(MAKEFILE_LIST)))

# A program or a driver includes marker.h; a driver gets the -kernel half of it.
ltt_headers := $(addprefix $(ltt_include)/ltt/, \
	marker.h marker-types.h marker-types-c.h marker-types-cxx.h marker-user.h \
	marker-kernel.h marker-raw.h marker-string.h pause.h sink.h probe.h tracepoint.h event.h slice.h text.h)

# A program that reads recordings.
ltt_headers += $(ltt_include)/ltt/ltttrace.h

# The binary interface of /dev/ltt and of mapped buffers.
ltt_headers += $(wildcard $(ltt_include)/uapi/ltt/*.h)
