# headlight: `make help` lists the targets.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
# BLAS names any library that offers CBLAS: a pkg-config module, or linker flags (BLAS=-lblis).
BLAS    ?= openblas
ARGS    ?=
# V=1 shows the commands.
quiet   := $(if $(V),,@)

JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 1)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif

# ---- What it needs: the one list ------------------------------------------------------------
# A line holds the pkg-config module (or program) to look for, then the package that brings it
# with apt, dnf, pacman and brew; "-" where none is needed.
NEEDS_BUILD := \
	pkg-config:pkg-config:pkgconf-pkg-config:pkgconf:pkgconf \
	ncursesw:libncurses-dev:ncurses-devel:ncurses:ncurses \
	libcjson:libcjson-dev:cjson-devel:cjson:cjson \
	libutf8proc:libutf8proc-dev:utf8proc-devel:libutf8proc:utf8proc \
	$(if $(filter openblas,$(BLAS)),openblas:libopenblas-dev:openblas-devel:openblas:openblas)
NEEDS_TEST := \
	check:check:check-devel:check:check \
	vterm:libvterm-dev:libvterm-devel:libvterm:libvterm \
	xterm-direct:ncurses-term:ncurses-term:-:-
NEEDS_LINT := \
	clang-format:clang-format:clang-tools-extra:clang:clang-format \
	clang-tidy:clang-tidy:clang-tools-extra:clang:llvm \
	cppcheck:cppcheck:cppcheck:cppcheck:cppcheck
NEEDS_CLANG := clang:clang:clang:clang:llvm
NEEDS_VALGRIND := valgrind:valgrind:valgrind:valgrind:-
NEEDS_COVERAGE := gcovr:gcovr:gcovr:gcovr:gcovr

# Homebrew keeps these two apart from the system's own.
ifeq ($(shell uname -s),Darwin)
export PKG_CONFIG_PATH := $(PKG_CONFIG_PATH):$(shell brew --prefix openblas 2>/dev/null)/lib/pkgconfig:$(shell brew --prefix ncurses 2>/dev/null)/lib/pkgconfig
endif

# Looks for every need; installs what is missing where apt-get is, names it elsewhere.
define NEED_SCRIPT
set -u
missing_apt= missing_dnf= missing_pacman= missing_brew= missing=
found() {
    case $$1 in
    pkg-config|clang|clang-format|clang-tidy|cppcheck|valgrind|gcovr) command -v $$1 >/dev/null 2>&1 ;;
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
[ -z "$$sudo" ] || command -v sudo >/dev/null 2>&1 || NO_INSTALL=1 # then only root can install
if command -v apt-get >/dev/null 2>&1; then
    packages=$$(named $$missing_apt)
    [ -z "$${NO_INSTALL:-}" ] || ask "$${sudo}apt-get install $$packages"
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
need = @sh -c "$$NEED_SCRIPT" need $(1)
inner = +@$(MAKE) --no-print-directory

# ---- Targets for people ---------------------------------------------------------------------
.PHONY: all run check asan lint warnings portable valgrind coverage fuzz soak bench golden pictures \
        install uninstall clean help
.DEFAULT_GOAL := all

all: ## build the program: build/headlight
	$(call need,$(NEEDS_BUILD))
	$(inner) program

run: all ## build it and open the built-in model on the example pair (or ARGS="...")
	@$(BUILD)/headlight $(ARGS)

check: ## build and run every test (or SUITES="app_screen view_grid")
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) -k program run-tests

asan: ## the tests under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) BUILD=$(BUILD)/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" -k program run-tests

lint: ## formatting, floors, clang-tidy and cppcheck
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_LINT))
	$(inner) run-lint

warnings: ## every source with gcc and with clang, and their warnings as errors
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_CLANG))
	$(inner) CC=gcc BUILD=$(BUILD)/gcc CFLAGS="-O3 -Werror -Wlogical-op -Wduplicated-cond" objects
	$(inner) CC=clang BUILD=$(BUILD)/clang CFLAGS="-O1 -Werror -Wcomma -Wunreachable-code" objects

portable: ## every source compiled for 32 bits; what cannot be served is refused by name
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_CLANG))
	$(inner) BUILD=$(BUILD)/32 run-portable

valgrind: ## memcheck on everything that runs without a keyboard
	$(call need,$(NEEDS_BUILD) $(NEEDS_VALGRIND))
	$(inner) program run-valgrind

coverage: ## how much of the source the tests run, file by file; less than 90 % is an error
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST) $(NEEDS_COVERAGE))
	$(inner) CC=gcc BUILD=$(BUILD)/coverage CFLAGS="-O1 -g --coverage" forget-coverage
	$(inner) CC=gcc BUILD=$(BUILD)/coverage CFLAGS="-O1 -g --coverage" run-coverage

fuzz: ## look for inputs that break it, with clang's libFuzzer (TARGET=json SECONDS=600)
	$(call need,$(NEEDS_BUILD) $(NEEDS_CLANG))
	$(inner) BUILD=$(BUILD)/fuzz CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all \
	    -fsanitize-coverage-ignorelist=tests/fuzz/arithmetic.list" run-fuzz

bench: ## times on this machine, and how near they are to what it can do (or ARGS="--help")
	$(call need,$(NEEDS_BUILD))
	$(inner) program run-bench

soak: ## 100,000 random actions under AddressSanitizer (or ARGS="--actions 5000 --seed 2")
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) BUILD=$(BUILD)/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" run-soak

golden: ## accept today's screens as tests/golden/*.screen
	$(call need,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) -k ACCEPT=1 program run-tests

pictures: all ## draw the README's pictures anew
	$(inner) draw-pictures

install: all ## install to PREFIX (default /usr/local); DESTDIR is honoured
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/doc/headlight
	install -m 755 $(BUILD)/headlight $(DESTDIR)$(PREFIX)/bin/headlight
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/headlight

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/headlight
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/headlight

clean: ## remove build/
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo "  NO_INSTALL=1 names missing packages and installs none; BLAS=... links another CBLAS"

# ---- The build itself, entered through the targets above -------------------------------------
.PHONY: program objects run-tests run-lint run-bench run-soak draw-pictures

PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
SANITIZE   ?=
WARNINGS   := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
              -Wformat=2 -Wundef -Wvla -Wwrite-strings -Wpointer-arith -Wcast-align \
              -Wimplicit-fallthrough -Wold-style-definition -Wredundant-decls
# No fused multiply-add that the source doesn't ask for: it would round otherwise on some processors.
STANDARD   := -std=c11 -ffp-contract=off -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -D_DARWIN_C_SOURCE \
              -D_FILE_OFFSET_BITS=64
# What the program is hardened with. It stands before the flags that are given, which may say otherwise
# but drop none of it by being there. Fortified calls want optimisation, keep a level that is given,
# and leave the sanitizers to theirs. -z is ELF's; Darwin's linker does as much by itself.
given     = $(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)
fortified = $(if $(filter-out -O0,$(lastword $(filter -O%,$(given)))),$(if \
              $(findstring _FORTIFY_SOURCE,$(given))$(findstring -fsanitize,$(given)),,yes))
HARDENED  = $(if $(fortified),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) -fstack-protector-strong -fPIE
HARDENED_LINK = $(if $(filter Darwin,$(shell uname -s)),,$(if \
              $(filter -static%,$(given)),,-pie) -Wl,-z,relro,-z,now)
MODULES    := ncursesw libcjson libutf8proc
blas_flags := $(filter -%,$(BLAS))
MODULES    += $(if $(blas_flags),,$(BLAS))

SOURCES      := $(sort $(wildcard src/*/*.c))
OBJECTS      := $(SOURCES:%.c=$(BUILD)/%.o)
MODEL        := $(wildcard assets/model/*)
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
SOAK_SOURCES := $(sort $(wildcard tests/soak/*.c))
# All but what belongs to programs of their own.
TEST_SOURCES := $(filter-out tests/bench/% tests/fuzz/libfuzzer.c tests/soak/main.c, \
                  $(sort $(wildcard tests/*.c tests/*/*.c)))
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/%.o)
SOAK_OBJECTS := $(SOAK_SOURCES:%.c=$(BUILD)/%.o)
BENCH_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/*.c))

# Asked for only when something is compiled or linked.
package_cflags = $(eval package_cflags := $$(filter-out -D_XOPEN_SOURCE=%,$$(shell $(PKG_CONFIG) --cflags $(MODULES))))$(package_cflags)
package_libs   = $(eval package_libs := $$(shell $(PKG_CONFIG) --libs $(MODULES)) $(blas_flags) -lpthread -lm)$(package_libs)
test_cflags    = $(eval test_cflags := $$(shell $(PKG_CONFIG) --cflags check vterm))$(test_cflags)
test_libs      = $(eval test_libs := $$(shell $(PKG_CONFIG) --libs check vterm))$(test_libs)

COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(HARDENED) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -Iinclude -MMD -MP \
          -DHEADLIGHT_VERSION='"$(VERSION)"' $(package_cflags)

program: $(BUILD)/headlight
	@:

objects: $(OBJECTS) $(BUILD)/src/main.o $(TEST_OBJECTS) $(BENCH_OBJECTS)
	@echo "$(CC): fine"

$(BUILD)/headlight: $(OBJECTS) $(BUILD)/src/main.o
	@echo "  LD  $@"
	$(quiet)$(CC) $(HARDENED_LINK) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(package_libs)

$(BUILD)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC  $<"
	$(quiet)$(COMPILE) -c -o $@ $<

# The built-in model is linked into this one object.
$(BUILD)/src/app/builtin.o: $(MODEL)

$(BUILD)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC  $<"
	$(quiet)$(COMPILE) -Itests -I$(BUILD)/tests $(test_cflags) -c -o $@ $<

# Every tests/check_FLOOR_MODULE.c exports suite_FLOOR_MODULE; the runner's list is made from the
# file names, so that no suite is forgotten.
$(BUILD)/tests/suites.inc: $(wildcard tests/check_*.c)
	@mkdir -p $(@D)
	@for f in $(sort $(notdir $(basename $^))); do echo "SUITE($${f#check_})"; done > $@
$(BUILD)/tests/runner.o: $(BUILD)/tests/suites.inc
# So with the targets of the fuzzer.
$(BUILD)/tests/targets.inc: $(wildcard tests/fuzz/fuzz_*.c)
	@mkdir -p $(@D)
	@for name in $(FUZZ_TARGETS); do echo "TARGET($$name)"; done > $@
$(TEST_OBJECTS) $(BUILD)/tests/fuzz/libfuzzer.o: | $(BUILD)/tests/suites.inc $(BUILD)/tests/targets.inc

# Calls that tests can make fail: the linker leads them to tests/faults.c. Darwin's can't.
FAULTS := malloc calloc realloc strdup strndup realpath fopen fdopen fileno tmpfile newlocale \
          open_memstream pthread_create pipe open mmap read mkstemp fsync rename \
          fopen64 tmpfile64 open64 mmap64 mkstemp64
fault_flags := $(if $(filter Darwin,$(shell uname -s)),,$(FAULTS:%=-Wl,--wrap=%))

$(BUILD)/tests/runner: $(TEST_OBJECTS) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) $(fault_flags) -o $@ $^ $(test_libs) $(package_libs)

# Each suite is a process of its own, several at once; what it says is shown when it fails. Timeouts
# are there for what hangs, not for a machine that is busy.
SUITES ?= $(patsubst tests/check_%.c,%,$(sort $(wildcard tests/check_*.c)))
logs   := $(SUITES:%=$(BUILD)/tests/logs/%.log)
run-tests: $(SUITES:%=suite-%)
	@awk -F '[ ,]+' '/^[0-9]+%: Checks: / { checks += $$3 } \
	    END { printf "%d suites, %d checks: all passed\n", ARGC - 1, checks }' $(logs)
suite-%: $(BUILD)/tests/runner $(BUILD)/headlight
	@mkdir -p $(BUILD)/tests/logs
	@HEADLIGHT_PROGRAM=$(BUILD)/headlight HEADLIGHT_ACTUAL=$(BUILD)/tests/actual \
	    CK_TIMEOUT_MULTIPLIER=10 $(if $(ACCEPT),HEADLIGHT_ACCEPT=1) $(BUILD)/tests/runner $* > $(BUILD)/tests/logs/$*.log 2>&1 || \
	    { cat $(BUILD)/tests/logs/$*.log; exit 1; }

# ---- Fuzzing ----------------------------------------------------------------------------------
# Finds are kept below $(BUILD): inputs that lead to new places in corpus/NAME, findings as NAME-*.
SECONDS ?= 60
TARGET  ?= $(FUZZ_TARGETS)
# A letter gives a page of numbers.
MAX_LENGTH_json := 256

$(BUILD)/fuzzer: $(BUILD)/tests/fuzz/libfuzzer.o $(filter $(BUILD)/tests/fuzz/%,$(TEST_OBJECTS)) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(package_libs)

.PHONY: run-fuzz
run-fuzz: $(TARGET:%=fuzz-%)
fuzz-%: $(BUILD)/fuzzer
	@mkdir -p $(BUILD)/corpus/$*
	@HEADLIGHT_FUZZ=$* $(BUILD)/fuzzer -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 \
	    -max_len=$(or $(MAX_LENGTH_$*),4096) $(addprefix -dict=,$(wildcard tests/fuzz/$*.dict)) \
	    -artifact_prefix=$(BUILD)/$*- -print_final_stats=1 $(BUILD)/corpus/$* tests/fuzz/corpus/$* \
	    2> $(BUILD)/$*.log || { tail -n 40 $(BUILD)/$*.log >&2; exit 1; }
	@awk '/^stat::number_of_executed_units/ { n = $$2 } / cov: / { for (i = 1; i < NF; i++) if ($$i == "cov:") c = $$(i + 1) } \
	    END { printf "  fuzz %-12s %10d inputs, %5d places, nothing found\n", "$*", n, c }' $(BUILD)/$*.log

$(BUILD)/bench: $(BENCH_OBJECTS) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(package_libs)

run-bench: $(BUILD)/bench $(BUILD)/headlight
	@$(BUILD)/bench $(BUILD)/headlight $(ARGS)

$(BUILD)/soak: $(SOAK_OBJECTS) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(package_libs)

run-soak: $(BUILD)/soak
	@$(BUILD)/soak tests/vectors/tiny-bert $(ARGS)

# ---- Lint -------------------------------------------------------------------------------------
C_FILES := $(sort $(wildcard src/*.c src/*/*.[ch] include/headlight/*/*.h tests/*.[ch] tests/*/*.[ch]))

# A lower floor never includes a higher one; curses and cblas each have one door.
define FLOORS_SCRIPT
BEGIN {
    may["base"] = " base "; may["text"] = " base text "; may["model"] = " base model "
    may["lens"] = " base text model lens "; may["view"] = " base text model lens view "
    may["app"] = " base text model lens view app "
}
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
/^#include/ {
    split(FILENAME, path, "/")
    floor = path[1] == "include" ? path[3] : path[2]
    if (match($$0, /"headlight\/[a-z]+\//)) {
        other = substr($$0, RSTART + 11, RLENGTH - 12)
        if (floor in may && index(may[floor], " " other " ") == 0)
            complain(floor " includes " other)
    }
    if ($$0 ~ /<(curses|ncurses|term)\.h>/ && FILENAME !~ /^src\/app\/curses[a-z_]*\.c$$/)
        complain("only src/app/curses*.c include curses")
    if ($$0 ~ /<cblas\.h>/ && FILENAME != "src/model/processor_blas.c")
        complain("only src/model/processor_blas.c includes cblas")
}
END { exit bad }
endef
export FLOORS_SCRIPT

.PHONY: lint-format lint-floors lint-tidy lint-cppcheck
run-lint: lint-format lint-floors lint-tidy lint-cppcheck
lint-format:
	@clang-format --dry-run -Werror $(C_FILES) && echo "format: fine"
lint-floors:
	@awk "$$FLOORS_SCRIPT" $(filter src/% include/%,$(C_FILES)) && echo "floors: fine"
lint-tidy: $(patsubst %.c,$(BUILD)/tidy/%.ok,$(filter src/%.c,$(C_FILES)))
	@echo "clang-tidy: fine"
$(BUILD)/tidy/%.ok: %.c .clang-tidy $(wildcard include/headlight/*/*.h)
	@mkdir -p $(@D)
	$(quiet)clang-tidy --quiet $< -- $(STANDARD) -Iinclude -DHEADLIGHT_VERSION='"$(VERSION)"' \
	    $(package_cflags) 2>/dev/null
	@touch $@
lint-cppcheck:
	@cppcheck -q -j $(JOBS) --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --error-exitcode=1 --suppress=missingIncludeSystem -Iinclude src
	@echo "cppcheck: fine"

# ---- Checks of what was built, and of other machines ------------------------------------------
.PHONY: check-hardening run-portable run-valgrind run-coverage

# Looks into the program that HARDENED and HARDENED_LINK made.
define HARDENING_SCRIPT
set -u
program=$$1 bad=0
holds() { # OPTION PATTERN WHAT
    readelf "$$1" -W "$$program" | grep -Eq "$$2" && return
    echo "$$program: expected $$3, found none (readelf $$1)"
    bad=1
}
holds -h 'Type: +DYN' 'a position-independent program'
holds -l 'GNU_RELRO' 'a part that is read-only after relocation'
holds -d 'BIND_NOW|FLAGS_1.*NOW' 'all symbols bound at the start'
holds --dyn-syms '__stack_chk_fail' 'the stack protector'
holds --dyn-syms '__[a-z]+_chk' 'fortified calls'
[ $$bad = 0 ] && echo "hardening: fine in $$program"
exit $$bad
endef
export HARDENING_SCRIPT
check-hardening: $(BUILD)/headlight
	@sh -c "$$HARDENING_SCRIPT" hardening $<

# The sources in 32 bits: an empty file stands in for the one header that only a 32-bit C library
# brings. Then each #error, first of all that is said about its file.
portable_objects = $(patsubst %.c,%.portable,$(wildcard src/*.c src/*/*.c tests/*.c tests/*/*.c))
refused = if clang $(2) -fsyntax-only -Iinclude src/model/$(1).c 2>&1 | grep error: | head -1 | \
    grep -q '$(3)'; then echo "$(2): refused by name"; else \
    echo "src/model/$(1).c: with $(2) expected the error \"$(3)\" first"; exit 1; fi
run-portable: $(portable_objects)
	@echo "32 bits: fine"
	@$(call refused,safetensors,--target=powerpc64-linux-gnu,needs a little-endian machine)
	@$(call refused,precise,--target=i686-linux-gnu -mno-sse,exactly double precision)
%.portable: %.c $(BUILD)/headers/gnu/stubs-32.h $(BUILD)/tests/suites.inc
	$(quiet)clang -m32 -msse2 -fsyntax-only $(STANDARD) $(WARNINGS) -Werror -Iinclude -Itests \
	    -I$(BUILD)/tests -DHEADLIGHT_VERSION='"$(VERSION)"' -isystem $(BUILD)/headers \
	    $(package_cflags) $(test_cflags) -idirafter /usr/include/$$($(CC) -print-multiarch) $<
$(BUILD)/headers/gnu/stubs-32.h:
	@mkdir -p $(@D)
	@: > $@

run-valgrind: $(BUILD)/headlight
	@sh tests/valgrind.sh $<

# What earlier runs counted is forgotten by the first target, before the tests count anew. Threads
# that count at once may lose some: no line is lost by it.
.PHONY: forget-coverage
run-coverage: run-tests
	@gcovr -j $(JOBS) -f 'src/' -e 'src/app/curses' --gcov-ignore-parse-errors --fail-under-line 90 \
	    --object-directory $(BUILD) $(BUILD)
forget-coverage:
	@mkdir -p $(BUILD) && find $(BUILD) -name '*.gcda' -delete

# ---- The README's pictures ----------------------------------------------------------------------
draw-pictures: $(BUILD)/headlight
	$(BUILD)/headlight --layer 3 --snapshot assets/head.svg --size 100x30
	$(BUILD)/headlight --view neuron --layer 1 --head 2 --select flies --list \
	    --snapshot assets/neuron.svg --size 132x34
	$(BUILD)/headlight --view model --figure previous --layer 3 --head 3 --snapshot assets/model.svg \
	    --size 120x40
	$(BUILD)/headlight --view matrix --layer 2 --head 1 --select like --attended flies \
	    --snapshot assets/matrix.svg --size 120x36

-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BUILD)/tests/soak/main.d $(BENCH_OBJECTS:.o=.d) $(BUILD)/src/main.d
