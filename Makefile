# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# LTT, the Layered Trace Toolkit: everything is built, tested and installed
# from here. "make help" lists the targets.

# The headers of the kernel to build for: see tests/vm/kernel.
ifdef KDIR
chosen := $(KDIR)
else
KDIR := $(patsubst %,/lib/modules/%/build,$(shell tests/vm/kernel))
endif
KVER := $(shell tests/vm/kernel '$(KDIR)' 2>/dev/null)
PREFIX ?= /usr/local
MODROOT ?= /lib/modules
DESTDIR ?=

# The VM tool boots the kernel that is built for.
export KVER

moddir = $(DESTDIR)$(MODROOT)/$(KVER)/updates/ltt
stage := $(CURDIR)/build/stage
# A kernel of another Debian release is built for inside a root of that release.
within = $(wildcard $(KDIR)/within)
kbuild = $(within) $(MAKE) --no-print-directory -C $(KDIR) M=$(CURDIR)/$(1) \
	KBUILD_EXTRA_SYMBOLS=$(CURDIR)/modules/Module.symvers
# Those who build test modules or drivers get ltt-*.ko from where it was built.
layers = $(wildcard modules/*/ltt-*.ko modules/instrument/*/ltt-*.ko)

define help
  make                    build the modules and the programs;
                          EVENT_HEADERS='sched irq' compiles only these
                          event headers (doc/tracepoints.md)
  make install            install both; DESTDIR=, PREFIX=/usr/local, LIBDIR=, DOCDIR=
  make modules_install    install the modules only
  make deb                packages for Debian, in build/deb
  make deb-files          list the files of the packages in debian/files.list
  make uninstall          remove what install put there, for all kernels
  make demo               record and decode a workload in a VM (HOST=1: here);
                          the trace is left in build/demo/trace, a page
                          of it in build/demo/trace.html
  make check              the tests; TESTS='vm/ring* unit' for some.
                          KERNELS="6.1 6.12 7": the VM cases, on other kernels, which are
                          fetched first (tests/kernels/list)
  make check-all          the same at length, and the long cases through both faces
  make check-fuzz         the fuzzers, each for SECONDS=600
  make check-mutants      do the tests notice each fault put into the ring? minutes
  make check-model        the model of the ring, larger: minutes, and gigabytes
  make check-sweep        each instruction of an event interrupted, in all ways
                          (2 minutes)
  make check-soak         everything at once; LTT_MINUTES=2
  make check-debug        the VM cases on kernels with KASAN, lockdep, KCSAN and
                          others, which are built first; TESTS=, KERNELS='locks leaks'
  make check-kernels      all VM cases on all of tests/kernels/list; rewrites
                          doc/kernels.md (hours)
  make check-core         chosen cases on Linux 6.12 and 7 (8 minutes)
  make check-hangs        markers and all events switched under load, for LTT_MINUTES=15, in a
                          QEMU that it builds first (5 minutes); KERNELS="6.1 6.12 7"
  make check-degrade      does LTT build where a kernel's function has another name, or
                          an option of its configuration is off? (minutes); TESTS= for some
  make check-arm64        the core cases on Debian's kernel for arm64 in an emulator, and the
                          buffers of programs there (15 minutes); CASES= for some
  make check-i386         the core cases on the 32-bit kernel 686-pae; CASES= for some
  make check-armhf        the core cases on the 32-bit kernel armmp; CASES= for some
  make check-bindings     the packages of bindings/ in all languages, whose tools it
                          installs
  make check-faults       whatever LTT asks the kernel for fails, one by one
                          (some minutes)
  make check-packages     packages installed on clean systems of Debian 12 and 13, on
                          three kernels of each, and removed (two hours)
  make check-coverage     which lines the tests run, in the kernel and in programs
                          (20 minutes); TESTS= for some, without bars
  make bench              what LTT costs, beside other tracers; rewrites
                          doc/performance.md; PARTS='kernel life' for some
  make vm                 a shell in a VM, as if LTT were installed
  make clean              remove all that was built
  KDIR=DIRECTORY          the kernel headers to build for
                          ($(or $(KDIR),none found))
endef

all: need-build
	@$(MAKE) --no-print-directory build

help:
	$(info $(help))
	@:

# "need" may install packages, so what depends on them runs in another make, which
# looks for the kernel again.
need-%:
	@KDIR='$(chosen)' tests/vm/need $* >&2

build: modules samples samples/filter userspace

kernel:
	@tests/vm/kernel '$(KDIR)' >/dev/null

# Built as DKMS builds them, but for what is tested: see there.
modules: kernel
	$(within) $(MAKE) --no-print-directory -C $@ KDIR='$(abspath $(KDIR))'

# Kbuild does not look at the versions of our own symbols again when they have changed.
samples tests/modules: modules
	$(if $(shell find $@/Module.symvers ! -newer modules/Module.symvers 2>/dev/null),rm $@/Module.symvers)
	+$(call kbuild,$@) modules $(untyped)

samples/filter:
	$(MAKE) --no-print-directory -C $@ O=$(CURDIR)/build/samples CFLAGS='-O2 -g -Wall -Wextra -Werror'

userspace:
	$(MAKE) --no-print-directory -C $@

install: modules_install
	$(MAKE) --no-print-directory -C userspace $@ DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)'

modules_install: kernel
	$(if $(layers),,$(error The modules are not built yet: run make first))
	@built=$$(PATH="$$PATH:/usr/sbin:/sbin" modinfo -F vermagic $(firstword $(layers))) && [ "$${built%% *}" = '$(KVER)' ] || \
		{ [ -z "$$built" ] || echo "The modules are built for $${built%% *}, and not for $(KVER): run make first, with the same KDIR." >&2; exit 1; }
	install -d $(moddir)
	install -m 644 $(layers) $(moddir)
	$(if $(DESTDIR),,PATH="$$PATH:/usr/sbin:/sbin" depmod $(KVER))

# Remove the modules of all kernels: nothing notes for which one they were installed.
uninstall:
	$(MAKE) --no-print-directory -C userspace $@ DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)'
	for folder in $(DESTDIR)$(MODROOT)/*/updates/ltt; do \
		[ -d "$$folder" ] || continue; \
		rm -r "$$folder" || exit 1; \
		kernel=$${folder%/updates/ltt}; \
		$(if $(DESTDIR),,PATH="$$PATH:/usr/sbin:/sbin" depmod "$${kernel##*/}";) \
	done

# A kernel of tests/debug/build or tests/kernels/fetch is not installed: its modules come with it.
built = $(wildcard $(KDIR)/installed)
kernel_modules = $(wildcard $(addprefix $(built)/lib/modules/$(KVER)/,\
	kernel modules.builtin* modules.order))

# The installed files that VMs see. depmod has to know the kernel's own modules as well,
# which are on the root that the stage is laid over, unless they were copied.
stage: build
	@$(if $(filter -g0,$(KCFLAGS)),,$(CROSS_COMPILE)strip -g modules/*/ltt-*.ko modules/instrument/*/ltt-*.ko)
	@rm -rf $(stage)
	@$(MAKE) -s --no-print-directory install DESTDIR=$(stage) PREFIX=/usr MODROOT=/usr/lib/modules
	@$(if $(built),cp -aL,ln -s) $(kernel_modules) $(stage)/usr/lib/modules/$(KVER)
	@depmod -b $(stage)/usr $(KVER)
	@find $(stage)/usr/lib/modules/$(KVER) -type l -delete

# Programs that test cases run in a VM.
tests/vm/prog: userspace
	$(MAKE) --no-print-directory -C $@

32-bit: tests/vm/prog
	$(MAKE) --no-print-directory -C tests/vm/prog $@

# LTT with a command more.
tests/new-command: modules
	@$(within) tests/new-command/build $(KDIR)

# Tests of theirs run in a VM, too.
tests/expression tests/html: userspace
tests/libltt tests/expression tests/html:
	$(MAKE) --no-print-directory -C $@

tested: tested-core 32-bit tests/new-command tests/libltt tests/expression tests/html

# Debugging information makes the modules four times as large, which an emulated machine takes seconds to load.
# Where kbuild makes types (BTF) of it, LTT's own modules are built with it, and "stage" strips them, as DKMS does. Those of
# tests and samples need no types.
tested tested-core stage: export KCFLAGS := $(filter-out -g0,$(KCFLAGS)) $(if $(wildcard $(KDIR)/vmlinux),,-g0)
tested tested-core stage: untyped := KCFLAGS='$(filter-out -g0,$(KCFLAGS)) -g0' CONFIG_DEBUG_INFO_BTF_MODULES=

# For the tests that need no module of the kernel.
tested-natively: samples/filter userspace tests/vm/prog 32-bit tests/libltt tests/expression tests/html

# For the cases of tests/kernels/core.
tested-core: stage tests/modules tests/vm/prog

# Packages for Debian, built in a copy of the tree.  They have no modules: DKMS builds these
# where the packages are installed, so no kernel is needed here.
deb: need-deb
	@tests/packages/build

deb-files: deb
	@tests/packages/files > debian/files.list

check-packages: need-check need-packages
	@tests/packages/run

# Standard output is a TAP stream. Where programs of 32 bits cannot be made, or there is no browser, their tests are skipped.
check: need-check $(if $(KERNELS),need-kernels bpftrace) qemu prometheus
ifdef KERNELS
	@tests/kernels/run --kernels '$(KERNELS)' $(TESTS)
else
	@tests/vm/need 32-bit >&2 || :
	@tests/vm/need html >&2 || :
	@$(MAKE) --no-print-directory -j$(shell nproc) tested-natively >&2
	@tests/vm/run --build $(TESTS)
endif

core_kernels := 6.12 7

check-core: need-check need-kernels qemu
	@tests/kernels/run --kernels '$(core_kernels)' --core

# They can be downloaded before; check-core reports the reason for one that cannot.
core-kernels:
	@for name in $(core_kernels); do tests/kernels/fetch $$name >/dev/null 2>&1 || :; done

check-kernels: need-check need-kernels qemu bpftrace prometheus
	@tests/kernels/run || :
	@tests/kernels/table

check-hangs: need-check need-kernels need-qemu
	@LTT_QEMU=$$(tests/kernels/build-qemu) && export LTT_QEMU && tests/kernels/run --kernels '$(or $(KERNELS),6.1 6.12 7)' --cases tests/vm/hangs

check-degrade: need-check need-kernels
	@tests/kernels/degrade $(TESTS)

# The VMs run in a newer QEMU than the installed one where there is one to fetch.
qemu: need-check
	@tests/kernels/fetch-qemu >&2 || :

# A bpftrace that attaches to raw tracepoints, which that of this release may not; without it its test is skipped.
bpftrace: need-check
	@tests/kernels/fetch-bpftrace >&2 || :

# Not installed, as its package starts a service; without it, its tests are skipped.
prometheus: need-check
	@tests/vm/fetch-prometheus >&2 || :

# A newer lttng-relayd, to which recordings are sent, too.
relayd: need-check
	@tests/kernels/fetch-relayd >&2 || :

check-all: need-check qemu bpftrace prometheus relayd
	@$(MAKE) --no-print-directory tested
	@tests/vm/run --all --once

check-fuzz: need-check
	@$(MAKE) --no-print-directory -C tests/fuzz run SECONDS=$(or $(SECONDS),600)

check-mutants: need-check
	@tests/unit/mutants

check-model: need-check
	@tests/model/run --large

# By any interrupt that "make check" has no time for.
check-sweep: need-check qemu
	@$(MAKE) --no-print-directory tested
	@tests/vm/run --once --cases tests/vm/sweep --logs build/check-sweep

check-soak: need-check qemu
	@$(MAKE) --no-print-directory tested
	@tests/vm/run --once --cases tests/vm/soak --logs build/check-soak

check-debug: need-check need-debug qemu
	@tests/debug/run $(if $(KERNELS),--kernels '$(KERNELS)') $(TESTS)

check-faults: need-check qemu
	@$(MAKE) --no-print-directory tested
	@tests/vm/run --once --cases tests/vm/faults --logs build/check-faults

check-arm64: need-check need-machines
	@$(if $(CASES),,tests/arm64/run)
	@tests/machines/run arm64 $(CASES)

# The installed QEMU breaks the kernel for i386.
check-i386: qemu
check-i386 check-armhf: check-%: need-check need-machines
	@tests/machines/run $* $(CASES)

check-bindings: need-check need-bindings userspace
	@bindings/check --build build --all

check-coverage: need-check need-coverage qemu
	@KDIR='$(KDIR)' tests/coverage/run $(TESTS)

# A tracer that cannot be installed is named as missing, and the others measured.
bench: need-check
	@tests/vm/need bench || :
	@$(MAKE) --no-print-directory tested
	@tests/bench/run $(PARTS)

demo: need-check
	@$(MAKE) --no-print-directory stage
	@tests/vm/demo.sh

vm: need-check
	@$(MAKE) --no-print-directory tested
	@tests/vm/vm shell

clean:
	$(if $(KDIR),$(foreach d,modules samples tests/modules,$(call kbuild,$d) clean;))
	$(MAKE) --no-print-directory -C userspace clean
	rm -rf build modules/compat/generated.h modules/instrument/gen modules/instrument/syscalls/gen

.PHONY: all help build kernel modules samples samples/filter userspace tests/modules tests/vm/prog 32-bit tests/new-command tests/libltt tests/expression tests/html \
	install modules_install uninstall stage tested tested-core tested-natively deb deb-files qemu bpftrace prometheus relayd check core-kernels check-all check-arm64 check-armhf check-i386 check-bindings check-core check-coverage check-degrade check-packages check-faults check-hangs check-kernels check-mutants check-fuzz check-debug check-soak check-sweep check-model bench demo vm clean
