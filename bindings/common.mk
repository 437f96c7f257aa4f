# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the Makefiles of the packages, which are built beside an installed LTT, or in its
# source tree with BUILD=DIR, where DIR/userspace has libltt.

ifdef BUILD
LTT_CFLAGS := -I$(abspath ../../include)
LTT_LIBDIR := $(BUILD)/userspace
LTT_LIBS := -L$(LTT_LIBDIR) -lltt -Wl,-rpath,$(LTT_LIBDIR)
O ?= $(BUILD)/bindings/$(notdir $(CURDIR))
else
LTT_CFLAGS := $(shell pkg-config --cflags ltt)
LTT_LIBDIR := $(shell pkg-config --variable=libdir ltt)
LTT_LIBS := $(shell pkg-config --libs ltt)
O ?= build
ifeq ($(LTT_LIBS),)
$(error pkg-config does not find ltt: install LTT, or set PKG_CONFIG_PATH or BUILD)
endif
endif

CFLAGS ?= -O2 -g
shared = $(CC) $(CFLAGS) -Wall -Wextra -Werror -shared -fPIC $(LTT_CFLAGS)
