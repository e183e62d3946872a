# headlight: `make help` lists the targets.

VERSION := 0.1.0
DEFINES := -DHEADLIGHT_VERSION='"$(VERSION)"'
PREFIX  ?= /usr/local
DESTDIR ?=
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
DOCDIR  ?= $(PREFIX)/share/doc/headlight
# Where each shell looks for completions.
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
BUILD   ?= build
# What runs the programs that are built, where they are for another processor: RUN=qemu-aarch64.
RUN     ?=
# BLAS names any library that offers CBLAS: a pkg-config module, linker flags (BLAS=-lblis), or none.
BLAS    ?= openblas
ARGS    ?=
# V=1 shows the commands.
quiet   := $(if $(V),,@)

JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 1)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif

# ---- What it needs: the one list ------------------------------------------------------------
# A line holds the pkg-config module (or program) to look for, then the package that has it for apt,
# dnf, pacman and brew; "-" where none is needed.
NEEDS_BUILD := \
	pkg-config:pkg-config:pkgconf-pkg-config:pkgconf:pkgconf \
	ncursesw:libncurses-dev:ncurses-devel:ncurses:ncurses \
	libcjson:libcjson-dev:cjson-devel:cjson:cjson \
	libutf8proc:libutf8proc-dev:utf8proc-devel:libutf8proc:utf8proc \
	nettle:nettle-dev:nettle-devel:nettle:nettle \
	zlib:zlib1g-dev:zlib-devel:zlib:zlib \
	$(if $(filter openblas,$(BLAS)),openblas:libopenblas-dev:openblas-devel:openblas:openblas)
NEEDS_TEST := \
	check:check:check-devel:check:check \
	vterm:libvterm-dev:libvterm-devel:libvterm:libvterm \
	xterm-direct:ncurses-term:ncurses-term:-:- \
	jq:jq:jq:jq:jq
# Their completions are tested where they are: everybody need not have them, but CI does.
NEEDS_SHELLS := zsh:zsh:zsh:zsh:zsh fish:fish:fish:fish:fish
NEEDS_LINT := \
	clang-format:clang-format:clang-tools-extra:clang:clang-format \
	clang-tidy:clang-tidy:clang-tools-extra:clang:llvm \
	cloc:cloc:cloc:cloc:cloc
NEEDS_CLANG := clang:clang:clang:clang:llvm
NEEDS_ARM64 := \
	aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu:-:-:- \
	qemu-aarch64:qemu-user:-:-:-
NEEDS_FUZZ := $(NEEDS_CLANG) libclang_rt:libclang-rt-dev:compiler-rt:compiler-rt:llvm \
	llvm-symbolizer:llvm:llvm:llvm:llvm
NEEDS_VALGRIND := valgrind:valgrind:valgrind:valgrind:-
NEEDS_INSTALLED := mandoc:mandoc:mandoc:mandoc:mandoc groff:groff-base:groff-base:groff:groff
NEEDS_FRESH := debootstrap:debootstrap:debootstrap:debootstrap:- unshare:util-linux:util-linux:util-linux:-
NEEDS_PARALLEL := parallel:parallel:parallel:parallel:parallel
NEEDS_PAGE := \
	chromium:chromium:chromium:chromium:- \
	chromedriver:chromium-driver:chromedriver:chromium:- \
	python3:python3:python3:python:python
NEEDS_NOTEBOOK := numpy:python3-numpy:python3-numpy:python-numpy:numpy torch:python3-torch:-:python-pytorch:pytorch
NEEDS_STATIC := pkg-config:pkg-config:pkgconf-pkg-config:pkgconf:pkgconf musl-gcc:musl-tools:-:-:- \
	dpkg-source:dpkg-dev:-:-:- $(if $(HOST),$(HOST)-gcc:gcc-$(HOST):-:-:-)
NEEDS_COVERAGE := gcovr:gcovr:gcovr:gcovr:gcovr

# Homebrew keeps these two apart from the system's own.
ifeq ($(shell uname -s),Darwin)
export PKG_CONFIG_PATH := $(PKG_CONFIG_PATH):$(shell brew --prefix openblas 2>/dev/null)/lib/pkgconfig:$(shell brew --prefix ncurses 2>/dev/null)/lib/pkgconfig
endif

# Looks for every need and names what is missing with the command that installs it; with BRING, and
# where apt-get is, installs it.
define NEED_SCRIPT
set -u
missing_apt= missing_dnf= missing_pacman= missing_brew= missing=
found() {
    case $$1 in
    pkg-config|musl-gcc|dpkg-source|clang|clang-format|clang-tidy|cloc|valgrind|gcovr|mandoc|groff|zsh|fish|parallel|chromium|chromedriver|python3|llvm-symbolizer|jq|debootstrap|unshare) command -v $$1 >/dev/null 2>&1 ;;
    libclang_rt) ls "$$(clang -print-resource-dir 2>/dev/null)"/lib/*/libclang_rt.fuzzer* >/dev/null 2>&1 ;;
    aarch64-*|qemu-*) # where apt-get is; portable does without them elsewhere
        ! command -v apt-get >/dev/null 2>&1 || command -v $$1 >/dev/null 2>&1 ;;
    numpy|torch) /usr/bin/python3 -c "import $$1" >/dev/null 2>&1 ;;
    xterm-direct) infocmp xterm-direct >/dev/null 2>&1 || [ "$$(uname -s)" != Linux ] ;;
    *) pkg-config --exists $$1 2>/dev/null ;;
    esac
}
for need in "$$@"; do
    name=$${need%%:*}
    found $$name && continue
    missing="$$missing $$name"
    packages=$${need#*:}
    set -- $$(echo $$packages | tr ':' ' ')
    missing_apt="$$missing_apt $$1" missing_dnf="$$missing_dnf $$2"
    missing_pacman="$$missing_pacman $$3" missing_brew="$$missing_brew $$4"
done
[ -z "$$missing" ] && exit 0
named() { echo "$$*" | tr ' ' '\n' | grep -v '^-$$' | sort -u | tr '\n' ' '; }
ask() { echo "headlight needs:$$missing. Install them with: $$*" >&2; exit 1; }
sudo=; [ "$$(id -u)" = 0 ] || sudo="sudo "
[ -z "$$sudo" ] || command -v sudo >/dev/null 2>&1 || BRING= # then only root can install
if command -v apt-get >/dev/null 2>&1; then
    packages=$$(named $$missing_apt)
    [ -n "$${BRING:-}" ] && [ -z "$${NO_INSTALL:-}" ] || ask "$${sudo}apt-get install $$packages"
    echo "headlight: installing $$packages" >&2
    export DEBIAN_FRONTEND=noninteractive
    $${sudo}apt-get install -y -q --no-install-recommends $$packages >/dev/null 2>&1 && exit 0
    $${sudo}apt-get update -q >/dev/null || exit 1
    exec $${sudo}apt-get install -y -q --no-install-recommends $$packages >/dev/null
fi
command -v brew >/dev/null 2>&1 && ask "brew install $$(named $$missing_brew)"
command -v dnf >/dev/null 2>&1 && ask "$${sudo}dnf install $$(named $$missing_dnf)"
command -v pacman >/dev/null 2>&1 && ask "$${sudo}pacman -S $$(named $$missing_pacman)"
ask "your package manager (Debian's names:$$missing_apt)"
endef
export NEED_SCRIPT
need = @BRING= sh -c "$$NEED_SCRIPT" need $(1)
bring = @BRING=yes sh -c "$$NEED_SCRIPT" bring $(1)
inner = +@$(MAKE) --no-print-directory

# ---- What is installed: the one list ---------------------------------------------------------
# Mode, file, and where it goes.
INSTALLED = \
	755:$(BUILD)/headlight:$(BINDIR)/headlight \
	644:$(BUILD)/made/headlight.1:$(MANDIR)/man1/headlight.1 \
	644:assets/completions/headlight.bash:$(BASHDIR)/headlight \
	644:assets/completions/_headlight:$(ZSHDIR)/_headlight \
	644:assets/completions/headlight.fish:$(FISHDIR)/headlight.fish \
	$(foreach page,README.md LICENSE assets/options $(wildcard assets/*.svg assets/docs/*.md assets/python/*.py assets/*/README.md assets/model/*/README.md), \
	    644:$(page):$(DOCDIR)/$(page))
install_row = install -d "$(DESTDIR)$(dir $(word 3,$(1)))" && \
    install -m $(word 1,$(1)) "$(word 2,$(1))" "$(DESTDIR)$(word 3,$(1))"

# ---- Targets for people ---------------------------------------------------------------------
.PHONY: all run check check-fast check-plain asan tsan msan lint warnings portable valgrind coverage fuzz budgets soak bench mutants \
        survey golden pictures install install-dependencies uninstall dist static deb packages clean help
.DEFAULT_GOAL := all

all: ## build the program: build/headlight
	$(call need,$(NEEDS_BUILD))
	$(inner) program

run: ## build it and open the built-in model on the example pair (or ARGS="...")
	$(call bring,$(NEEDS_BUILD))
	$(inner) program
	@$(BUILD)/headlight $(ARGS)

check: ## build and run every test (or SUITES="base_file view_matrix")
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(if $(CI),$(NEEDS_SHELLS)))
	$(inner) -k program run-tests

check-fast: ## the tests but for terminals, failing calls and long runs: a minute (SUITES too)
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) -k FAST=1 program run-tests

# With clang, which is faster at it and stricter, and runs the tests as another compiler has them. A
# suite is one process: starting one and looking for leaks, test by test, was half of the time.
asan: ## the tests under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_FUZZ))
	+@CK_FORK=no ASAN_OPTIONS=quarantine_size_mb=16:thread_local_quarantine_size_kb=64 $(MAKE) --no-print-directory \
	    CC=clang BUILD=$(BUILD)/asan CFLAGS="-O2 -g -Werror -Wcomma -Wunreachable-code -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" -k program run-tests

# The program alone: the tests start it in a terminal, and what it finds is in files. It forgets that
# opening or closing a file orders anything: that would hide races between threads which do so. Address
# spaces that are laid out at random by more than 28 bits have no room for its shadow.
TSAN_OPTIONS := io_sync=0:exitcode=66:log_path=$(abspath $(BUILD))/tsan/race
tsan: ## the program in a terminal under ThreadSanitizer: a load that fails, sixty keys, the thread pool
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_FUZZ))
	$(inner) CC=clang BUILD=$(BUILD)/tsan CFLAGS="-O1 -g -Werror" SANITIZE="-fsanitize=thread" program
	@rm -f $(BUILD)/tsan/race.*
	$(inner) $(BUILD)/tests/runner
	+@TSAN_OPTIONS="$(TSAN_OPTIONS)" $(if $(shell command -v setarch),setarch -R) $(MAKE) --no-print-directory \
	    started=$(BUILD)/tsan/headlight SUITES="$(TSAN_SUITES)" run-tests || { cat $(BUILD)/tsan/race.* 2>/dev/null; exit 1; }
	@! cat $(BUILD)/tsan/race.* 2>/dev/null

# Other libraries are not built with it; tests/fuzz/foreign.c says what they write.
msan: ## files, texts and the fuzzer's inputs under MemorySanitizer: base, text, what reads models
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_FUZZ))
	$(inner) CC=clang BUILD=$(BUILD)/msan CFLAGS="-O2 -g -Werror -fno-omit-frame-pointer" FAST=1 \
	    SANITIZE="-fsanitize=memory -fno-sanitize-recover=all" \
	    SUITES="$(MSAN_SUITES)" -k run-tests

lint: ## what is in the tree, formatting, floors, circles, how many lines, clang-tidy
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_LINT))
	$(inner) run-lint

# One build: without what Linux alone has, with gcc's warnings, of which -O3 knows the most.
strict = CC=gcc BUILD=$(BUILD)/plain CPPFLAGS=-DHEADLIGHT_PLAIN FRAMES=-Wframe-larger-than=16384 \
    CFLAGS="-O3 -Werror -Wlogical-op -Wduplicated-cond"
warnings: ## every source with gcc, and its warnings as errors; clang's are those of `make asan`
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) $(strict) objects

check-plain: ## the same, and the suites of what the system is asked for, without what Linux alone has
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) $(strict) SUITES="$(PLAIN_SUITES)" -k objects program run-tests

portable: ## every source compiled for 32 bits; check-fast for arm64 (SUITES too); refusals by name
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_CLANG) $(NEEDS_ARM64))
	$(inner) BUILD=$(BUILD)/32 run-portable
	$(inner) run-arm64

valgrind: ## memcheck on everything that runs without a keyboard
	$(call bring,$(NEEDS_BUILD) $(NEEDS_VALGRIND))
	$(inner) program run-valgrind

coverage: ## how much of the source the tests run, file by file; less than 90 % is an error
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_COVERAGE))
	$(inner) CC=gcc BUILD=$(BUILD)/coverage CFLAGS="-O2 -g --coverage" forget-coverage
	$(inner) CC=gcc BUILD=$(BUILD)/coverage CFLAGS="-O2 -g --coverage" run-coverage

# Under ThreadSanitizer with three threads in the pool (tests/fuzz/fuzz.c).
SANITIZER ?= address
fuzz_address := address,undefined
fuzz_memory  := memory -fsanitize-memory-track-origins
fuzz_thread  := thread
fuzz: ## look for inputs that break it, five minutes each (TARGET=json SECONDS=60 SANITIZER=memory or thread)
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_FUZZ))
	$(inner) BUILD=$(BUILD)/fuzz$(SANITIZER:address=) CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=$(fuzz_$(SANITIZER)) -fsanitize=fuzzer-no-link -fno-sanitize-recover=all \
	    -fsanitize-coverage-ignorelist=tests/fuzz/arithmetic.list" run-fuzz

mutants: ## change one operator or constant at a time: do the tests notice? (ONLY=src/text/ SEED=2)
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) BUILD=$(BUILD)/mutants CFLAGS="-O1 -w" run-mutants

budgets: ## work and memory for each byte of every kind of file and text, counted by callgrind
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_VALGRIND))
	$(inner) run-budgets

bench: ## times and memory on this machine, as comma-separated values (or ARGS="--help")
	$(call need,$(NEEDS_BUILD))
	$(inner) program run-bench

survey: all ## the model card's figures of a corpus (CORPUS=assets/corpus/english.conllu)
	@sh assets/model/figures.sh $(BUILD)/headlight $(or $(CORPUS),assets/corpus/english.conllu)

soak: ## 100,000 random actions under AddressSanitizer (or ARGS="--actions 5000 --seed 2")
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) BUILD=$(BUILD)/asan CFLAGS="-O2 -g -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" run-soak

golden: ## accept today's screens as tests/golden/*.screen
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) -k ACCEPT=1 SUITES="$(shell grep -l '"golden.h"' tests/check_*.c | sed 's/.*check_//; s/\.c//')" program run-tests

pictures: all ## draw the pictures of README and documentation anew
	$(inner) draw-pictures

install: all ## install to PREFIX (default /usr/local); DESTDIR is honoured
	@$(foreach row,$(INSTALLED),$(call install_row,$(subst :, ,$(row))) &&) :

install-dependencies: ## install what is missing to build and to test it, as run and check do
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))

uninstall: ## remove what install put there
	rm -f $(foreach row,$(INSTALLED),"$(DESTDIR)$(word 3,$(subst :, ,$(row)))")
	-@cd "$(DESTDIR)$(DOCDIR)" 2>/dev/null && rmdir assets/corpus assets/docs assets/model/dates assets/model assets/packaging assets/python assets "$$PWD" 2>/dev/null || :

dist: ## the source as build/headlight-VERSION.tar.gz, which builds without git
	$(inner) tarball

# With musl, whose UTF-8 needs no files, and the libraries compiled with it; no BLAS.
static_libraries = $(abspath $(BUILD))/libraries/$(or $(HOST),here)
static: ## one file that runs on any Linux: build/static/headlight (HOST=aarch64-linux-gnu for arm64)
	$(call bring,$(NEEDS_STATIC))
	@sh assets/packaging/static.sh $(static_libraries) $(HOST)
	$(inner) CC=$(if $(HOST),$(static_libraries)/bin/)musl-gcc BLAS=none LDFLAGS="-static -s" \
	    BUILD=$(BUILD)/static$(HOST:%=/%) \
	    PKG_CONFIG="PKG_CONFIG_LIBDIR=$(static_libraries)/lib/pkgconfig pkg-config" program

deb: dist ## Debian's source and binary package, below build/deb
	$(inner) debian-package

packages: dist ## Homebrew's formula, the RPM spec and the PKGBUILD, below build/packaging
	$(inner) package-files

clean: ## remove build/
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' Makefile
	@echo "  NO_INSTALL=1 only names missing packages; BLAS=... links another CBLAS"

# ---- The build itself, entered through the targets above -------------------------------------
.PHONY: program run-tests run-lint run-bench run-soak draw-pictures

PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
SANITIZE   ?=
# The largest frame that a function of the program may have (make warnings): 128 KB of stack, what
# threads have elsewhere, are enough for everything.
FRAMES     ?=
WARNINGS   := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
              -Wformat=2 -Wundef -Wvla -Wwrite-strings -Wpointer-arith -Wcast-align \
              -Wimplicit-fallthrough -Wold-style-definition -Wredundant-decls
# No fused multiply-add that the source doesn't ask for: some processors would round differently.
# POSIX with XSI, and on Linux nothing else: what goes beyond is in src/base/system.c alone. macOS and
# the BSDs would hide window sizes and their own signals with it, so they are asked for all they have.
STANDARD   := -std=c11 -ffp-contract=off -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 \
              $(if $(filter Linux,$(shell uname -s)),,-D_DARWIN_C_SOURCE -D_NETBSD_SOURCE -D__BSD_VISIBLE=1)
# Debugging information names the sources from the project's root: the same bytes in whatever folder.
NO_PATHS   := '-fdebug-prefix-map=$(CURDIR)=.'
# What the program is hardened with. It comes before the flags that are given: they may override it,
# but their mere presence drops none of it. Fortified calls need optimisation, respect a level that is
# given, and stay out of the sanitizers' way. -z is for ELF; Darwin's linker does as much by itself.
given     = $(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)
fortified = $(if $(filter-out -O0,$(lastword $(filter -O%,$(given)))),$(if \
              $(findstring _FORTIFY_SOURCE,$(given))$(findstring -fsanitize,$(given)),,yes))
HARDENED  = $(if $(fortified),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) -fstack-protector-strong -fPIE
HARDENED_LINK = $(if $(filter Darwin,$(shell uname -s)),,$(if \
              $(filter -static%,$(given)),,-pie) -Wl,-z,relro,-z,now)
MODULES    := ncursesw libcjson libutf8proc nettle zlib
blas_flags := $(filter -%,$(BLAS))
blas       := $(if $(blas_flags),,$(filter-out none,$(BLAS)))
comma      := ,

SOURCES      := $(filter-out src/app/main.c, $(sort $(wildcard src/*/*.c)))
OBJECTS      := $(SOURCES:%.c=$(BUILD)/%.o)
MODEL        := $(wildcard assets/model/*.* assets/model/dates/*.*)
LESSONS      := $(wildcard assets/lessons/[0-9]*-*.md)

# Asked for only when something is compiled or linked.
package_cflags = $(eval package_cflags := $$(filter-out -D_XOPEN_SOURCE=% -D_DEFAULT_SOURCE%,$$(shell $(PKG_CONFIG) --cflags $(MODULES) $(blas))))$(package_cflags)
blas_libs      = $(eval blas_libs := $(blas_flags) $$(if $(blas),$$(shell $(PKG_CONFIG) --libs $(blas))))$(blas_libs)
package_libs   = $(eval package_libs := $$(shell $(PKG_CONFIG) --libs $(MODULES)) \
                 $$(if $$(shell cat $(BUILD)/blas.h 2>/dev/null),-Wl$$(comma)--as-needed) $$(blas_libs) -lpthread \
                 $(if $(filter Linux,$(shell uname -s)),-lrt) -lm)$(package_libs)

COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(HARDENED) $(NO_PATHS) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -Iinclude -MMD -MP \
          -I$(BUILD)/made $(DEFINES) $(package_cflags)

program: $(BUILD)/headlight $(BUILD)/made/headlight.1
	@:

$(BUILD)/headlight: $(OBJECTS) $(BUILD)/src/app/main.o
	@echo "  LD  $@"
	$(quiet)$(CC) $(HARDENED_LINK) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(package_libs)

$(BUILD)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC  $<"
	$(quiet)$(COMPILE) $(FRAMES) -c -o $@ $<

# The name of the shared library that the BLAS's flags lead to: the program opens it when it needs one.
# Nothing where all is linked in, or nothing is ELF's: then the BLAS is linked too.
$(BUILD)/blas.h: Makefile
	@mkdir -p $(@D)
	@echo 'void cblas_sgemm(void); void (*needed)(void) = cblas_sgemm;' > $(@D)/blas.c
	@{ $(if $(filter -static%,$(given)),,$(CC) $(LDFLAGS) -shared -fPIC -nostdlib -Wl,--as-needed \
	    -o $(@D)/blas.so $(@D)/blas.c $(blas_libs) && readelf -d $(@D)/blas.so |) \
	    sed -n 's/.*(NEEDED).*\[\(.*\)\]/#define BLAS_LIBRARY "\1"/p'; } < /dev/null 2> /dev/null | head -n 1 > $@
$(BUILD)/src/tensor/kernels_portable.o: $(BUILD)/blas.h
$(BUILD)/src/tensor/kernels_portable.o: STANDARD += $(if $(filter none,$(BLAS)),-DHEADLIGHT_NO_BLAS,-include $(BUILD)/blas.h)

# The built-in model is linked into this one object.
$(BUILD)/src/model/checkpoint.o: $(MODEL)
$(BUILD)/src/export/export_json.o: assets/schema/headlight.schema.json
$(BUILD)/src/export/page.o: $(wildcard assets/page/page.*)
$(BUILD)/src/survey/gather.o: assets/corpus/english.conllu
$(BUILD)/src/draw/letters.o: assets/letters.txt
$(BUILD)/src/draw/theme_256.o: assets/ramps_256.txt

# What is said of options and fields: for the program, and in the manual; and the themes' colours.
$(BUILD)/made/options.inc: assets/options.awk assets/options
$(BUILD)/made/headlight.1: assets/options.awk assets/options assets/headlight.1.in
$(BUILD)/made/colors.inc: assets/colors.awk assets/colors
$(BUILD)/src/draw/theme.o: $(BUILD)/made/colors.inc
$(BUILD)/made/options.inc $(BUILD)/made/headlight.1 $(BUILD)/made/colors.inc:
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $^ > $@.new && mv $@.new $@

# And the lessons into this one, by a list in the order of their numbers, which stays as old as it is
# while it says the same.
$(BUILD)/made/lessons.inc: always
	@mkdir -p $(@D)
	@ls assets/lessons 2>/dev/null | sort -n | \
	    sed -n 's,^0*\([0-9][0-9]*\)-\(.*\)\.md$$,LESSON(\1\, "\2"\, "assets/lessons/&"),p' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.PHONY: always
always:
$(BUILD)/src/lesson/lessons.o: $(BUILD)/made/lessons.inc $(LESSONS)

include tests/checks.mk
include assets/packaging/packages.mk

# ---- The documentation's pictures ---------------------------------------------------------------
draw-pictures: $(BUILD)/headlight
	$(BUILD)/headlight --no-config --layer 3 --snapshot assets/head.svg --size 100x30
	$(BUILD)/headlight --no-config --view neuron --head 1.2 --select flies --list \
	    --snapshot assets/neuron.svg --size 132x34
	$(BUILD)/headlight --no-config --view model --metric previous --head 1.3 --snapshot assets/model.svg \
	    --size 120x40
	$(BUILD)/headlight --no-config --view matrix --head 3.1 --select like --attended like\#2 \
	    --snapshot assets/matrix.svg --size 120x36
	$(BUILD)/headlight --no-config --view answers --mask are --select are --off 1.3 --layer 7 \
	    --snapshot assets/words.svg --size 112x34 "they are very happy ."
	for lines in pixels blocks braille; do \
	    $(BUILD)/headlight --no-config --head 3.1 --lines $$lines --size 100x36 \
	        --snapshot assets/lines-$$lines.svg || exit 1; done
	$(BUILD)/headlight --no-config --head 3.1 --select like --present --snapshot assets/present.svg \
	    --size 100x30
	grep '^headlight --bare' assets/docs/pictures.md | \
	    (cd assets && PATH=$(abspath $(BUILD)):$$PATH HEADLIGHT_CONFIG= sh -e)

-include $(ALL_OBJECTS:.o=.d)
