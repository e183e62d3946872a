# checks.mk: how the program is checked: tests, fuzzing, soak, bench, static checks, coverage. It is
# part of the Makefile, whose targets for people lead here.

# ---- Tests ------------------------------------------------------------------------------------
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
SOAK_SOURCES := $(sort $(wildcard tests/soak/*.c))
# All but what belongs to separate programs.
TEST_SOURCES := $(filter-out tests/bench/% tests/budgets/% tests/fuzz/libfuzzer.c tests/soak/main.c, \
                  $(sort $(wildcard tests/*.c tests/*/*.c)))
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/%.o)
SOAK_OBJECTS := $(SOAK_SOURCES:%.c=$(BUILD)/%.o)
BENCH_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/*.c))
# They count what glibc's malloc is asked for.
BUDGET_OBJECTS := $(if $(filter Linux,$(shell uname -s)),$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/budgets/*.c)))
# The mains of those programs.
OTHER_OBJECTS := $(BUILD)/tests/fuzz/libfuzzer.o $(BUILD)/tests/soak/main.o $(BUILD)/tests/program.o
ALL_OBJECTS   := $(OBJECTS) $(BUILD)/src/app/main.o $(TEST_OBJECTS) $(BENCH_OBJECTS) $(BUDGET_OBJECTS) \
                 $(OTHER_OBJECTS)
# A header that nearly all include takes rows from it.
$(ALL_OBJECTS) $(SOAK_OBJECTS): | $(BUILD)/made/options.inc

# Tests may use what goes beyond POSIX (strsep); the program only in src/base/system.c.
BEYOND := -D_DEFAULT_SOURCE
test_cflags    = $(eval test_cflags := $$(shell $(PKG_CONFIG) --cflags check vterm))$(test_cflags)
test_libs      = $(eval test_libs := $$(shell $(PKG_CONFIG) --libs check vterm))$(test_libs)

$(BUILD)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC  $<"
	$(quiet)$(COMPILE) $(BEYOND) -Itests -I$(BUILD)/tests $(test_cflags) -c -o $@ $<

# The list of the fuzzer's targets is made from the file names.
$(BUILD)/tests/targets.inc: $(wildcard tests/fuzz/fuzz_*.c)
	@mkdir -p $(@D)
	@for name in $(FUZZ_TARGETS); do echo "TARGET($$name)"; done > $@
$(TEST_OBJECTS) $(BUDGET_OBJECTS) $(OTHER_OBJECTS): | $(BUILD)/tests/targets.inc

# Calls that tests can make fail: the linker redirects them to tests/faults.c. Darwin's can't.
FAULTS := malloc calloc realloc strdup strndup fopen fdopen fileno tmpfile newlocale \
          open_memstream pthread_create pipe dlopen open mmap read mkstemp fsync rename \
          fopen64 tmpfile64 open64 mmap64 mkstemp64 wgetch
# Functions of the program that tests can make hang: tests/hangs.c.
HANGS := program_load request_run request_pass request_besides request_take program_begin_interactive screen_draw input_key \
         input_paste session_click session_hover export_screen state_file_save curses_open curses_draw curses_close
# One whose work a test counts; and what Check does at each assertion that holds: tests/places.c.
fault_flags := $(if $(filter Linux,$(shell uname -s)),$(patsubst %,-Wl$(comma)--wrap=%,$(FAULTS) $(HANGS) forward_head _mark_point))

# The program itself, for tests that start it in a process of their own.
$(BUILD)/tests/program.o: src/app/main.c Makefile
	@mkdir -p $(@D)
	$(quiet)$(COMPILE) -Dmain=headlight_main -Wno-missing-prototypes -c -o $@ $<

# By what other libraries write, for MemorySanitizer: tests/fuzz/foreign.c.
FOREIGN := cJSON_InitHooks cJSON_ParseWithLengthOpts utf8proc_iterate utf8proc_encode_char utf8proc_decompose_char \
           utf8proc_normalize_utf32 utf8proc_grapheme_break_stateful nettle_base64_encode_raw \
           nettle_base64_decode_update nettle_sha256_digest compress2 setupterm getmouse \
           emalloc erealloc stat64 fstat64 lstat64
foreign_flags = $(if $(findstring sanitize=memory,$(SANITIZE)),$(patsubst %,-Wl$(comma)--wrap=%,$(FOREIGN)) $(test_libs))

$(BUILD)/tests/runner: $(TEST_OBJECTS) $(OBJECTS) $(BUILD)/tests/program.o
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) $(fault_flags) $(foreign_flags) -o $@ $^ $(test_libs) $(package_libs)

# Each suite is a process of its own, several at once; its output is shown when it fails. Timeouts
# are meant for what hangs, not for a busy machine.
# FAST leaves out the cases that slow_case makes (suites.h).
# Those that take longest come first: no processor is left with one of them while the others idle.
LONGEST := scripts terminal_wire terminal_ask terminal_leaving lens_reference export_numbers session_hostile lesson_all \
           model_interpreted session_fields model_finite model_faults model_hub \
           app_faults app_docs_commands app_files session_screen lens_steps app_leaving
SUITES ?= $(LONGEST) $(filter-out $(LONGEST),$(patsubst tests/check_%.c,%,$(sort $(wildcard tests/check_*.c))))
logs   := $(SUITES:%=$(BUILD)/tests/logs/%.log)
PLAIN_SUITES := base_writer base_mapping base_faults base_file app_pipe app_files app_faults tensor_thread_pool \
                tensor_kernels model_trace base_system
# What ThreadSanitizer watches the program do (make tsan).
TSAN_SUITES := app_interactive
# What MemorySanitizer watches: not those that draw on curses or start the program, nor passes, whose kernels hide
# sums from the compiler in assembly that it can't follow; nor tests that call cJSON themselves.
MSAN_SUITES := fuzz base_file base_json base_mapping text_charsmap text_grapheme text_labels text_marks text_sentencepiece \
               text_tokenizer_files text_tokenizer_settings model_config model_encoded model_families model_family_config model_head_mask model_hub \
               model_intervene model_model model_trace
# What tests start as the program: a script, where another program has to run it.
started := $(BUILD)/headlight$(if $(RUN),.sh)
$(BUILD)/headlight.sh: $(BUILD)/headlight
	@printf '#!/bin/sh\nexec %s "%s" "$$@"\n' '$(RUN)' '$(abspath $<)' > $@ && chmod +x $@
# Suites whose tests change the process that they run in, each in one of its own even where CK_FORK=no.
FORKING := app_pipe model_hub session_panel survey_index tensor_kernels terminal_restore
run-tests: $(SUITES:%=suite-%)
	@awk -v fast=$(FAST) -f tests/summary.awk $(logs)
suite-%: $(BUILD)/tests/runner $(started)
	@mkdir -p $(BUILD)/tests/logs
	@HEADLIGHT_PROGRAM=$(started) HEADLIGHT_ACTUAL=$(BUILD)/tests/actual \
	    CK_TIMEOUT_MULTIPLIER=$(if $(RUN),20,3) $(if $(ACCEPT),HEADLIGHT_ACCEPT=1) $(if $(FAST),CK_EXCLUDE_TAGS=slow) \
	    $(if $(RUN),HEADLIGHT_EMULATED=1) $(if $(filter $*,$(FORKING)),CK_FORK=yes) \
	    $(RUN) $(BUILD)/tests/runner $* > $(BUILD)/tests/logs/$*.log 2>&1 || \
	    { cat $(BUILD)/tests/logs/$*.log; exit 1; }

# ---- Fuzzing ----------------------------------------------------------------------------------
# What is found is kept below $(BUILD): inputs that reach new places in corpus/NAME, failures as NAME-*.
# ThreadSanitizer passes over libFuzzer's own clock, whose signal handler allocates.
SECONDS ?= 300
TARGET  ?= $(FUZZ_TARGETS)
# One letter makes a page of numbers.
MAX_LENGTH_json := 256
MAX_LENGTH_safetensors := 8192
MAX_LENGTH_survey      := 16384
MAX_LENGTH_tokenizer   := 16384

$(BUILD)/fuzzer: $(BUILD)/tests/fuzz/libfuzzer.o $(filter $(BUILD)/tests/fuzz/%,$(TEST_OBJECTS)) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(foreign_flags) $(package_libs)

.PHONY: run-fuzz
run-fuzz: $(TARGET:%=fuzz-%)
fuzz-%: $(BUILD)/fuzzer
	@mkdir -p $(BUILD)/corpus/$*
	@TSAN_OPTIONS=report_signal_unsafe=0 HEADLIGHT_FUZZ=$* $(BUILD)/fuzzer -max_total_time=$(SECONDS) -timeout=60 -rss_limit_mb=2048 \
	    -max_len=$(or $(MAX_LENGTH_$*),4096) $(addprefix -dict=,$(wildcard tests/fuzz/$*.dict)) \
	    -artifact_prefix=$(BUILD)/$*- -print_final_stats=1 $(BUILD)/corpus/$* tests/fuzz/corpus/$* \
	    2> $(BUILD)/$*.log || { tail -n 40 $(BUILD)/$*.log >&2; exit 1; }
	@awk '/^stat::number_of_executed_units/ { n = $$2 } / cov: / { for (i = 1; i < NF; i++) if ($$i == "cov:") c = $$(i + 1) } \
	    END { printf "  fuzz %-12s %10d inputs, %5d places, nothing found\n", "$*", n, c }' $(BUILD)/$*.log

# ---- Mutants ----------------------------------------------------------------------------------
COUNT ?= 300
SEED  ?= 1
ONLY  ?=
.PHONY: run-mutants
run-mutants: export COMPILED = $(COMPILE) -include $(BUILD)/blas.h -c
run-mutants: export LINKED = $(CC) $(CFLAGS) $(LDFLAGS) $(fault_flags)
run-mutants: export LINKED_OBJECTS = $(TEST_OBJECTS) $(OBJECTS) $(BUILD)/tests/program.o
run-mutants: export LINKED_LIBRARIES = $(test_libs) $(package_libs)
run-mutants: $(BUILD)/tests/runner $(BUILD)/headlight
	@BUILD=$(BUILD) COUNT=$(COUNT) SEED=$(SEED) ONLY='$(ONLY)' JOBS=$(JOBS) sh tests/mutants.sh

# ---- Budgets ------------------------------------------------------------------------------------
# Callgrind writes a file of what it counted after each call of budget_run, and the program reads it.
$(BUILD)/budgets: $(BUDGET_OBJECTS) $(filter $(BUILD)/tests/fuzz/%,$(TEST_OBJECTS)) $(OBJECTS)
	@echo "  LD  $@"
	$(quiet)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(package_libs)

.PHONY: run-budgets
run-budgets: $(BUILD)/budgets
	@rm -f $(BUILD)/budgets.count*
	@valgrind -q --tool=callgrind --callgrind-out-file=$(BUILD)/budgets.count --toggle-collect=budget_run \
	    --zero-before=budget_run --dump-after=budget_run $< $(BUILD)/budgets.count $(ARGS)
	@rm -f $(BUILD)/budgets.count*

# ---- Bench and soak ---------------------------------------------------------------------------
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
	@$(BUILD)/soak assets/model/dates $(ARGS)

# ---- Lint -------------------------------------------------------------------------------------
C_FILES := $(sort $(wildcard src/*/*.[ch] include/headlight/*/*.h tests/*.[ch] tests/*/*.[ch]))

.PHONY: lint-tree lint-format lint-floors lint-circles lint-budget lint-tidy
run-lint: lint-tree lint-format lint-floors lint-circles lint-budget lint-tidy
# What was built and added by mistake would stay in the history.
lint-tree:
	@! git ls-files | cut -d/ -f1 | grep -vxE 'src|include|assets|tests|Makefile|README.md|LICENSE|[.].*' && \
	    echo "tree: fine"
lint-format:
	@clang-format --dry-run -Werror $(C_FILES) && echo "format: fine"
lint-floors:
	@awk -f tests/floors.awk $(filter src/% include/%,$(C_FILES)) && echo "floors: fine"
# What files of a room take from each other, from their objects.
lint-circles: $(OBJECTS)
	@nm -A -P -g $^ | awk -f tests/circles.awk tests/circles.list - && echo "circles: fine"
# How many lines of code a room may have: a feature that needs more takes something out.
lint-budget:
	@cloc --quiet --by-file --csv src include | awk -f tests/budget.awk tests/budget -
# The analyzer explores a function no further than this, which takes a quarter of the time; DEPTH=225000 is its
# own limit.
DEPTH ?= 40000
lint-tidy: $(patsubst %.c,$(BUILD)/tidy/%.ok,$(filter src/%.c,$(C_FILES)))
	@echo "clang-tidy: fine"
$(BUILD)/tidy/%.ok: %.c .clang-tidy $(wildcard include/headlight/*/*.h) $(BUILD)/made/lessons.inc $(BUILD)/made/options.inc $(BUILD)/made/colors.inc
	@mkdir -p $(@D)
	$(quiet)clang-tidy --quiet $(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(DEPTH)) $< \
	    -- $(STANDARD) -Iinclude -I$(BUILD)/made $(DEFINES) \
	    $(package_cflags) 2>/dev/null
	@touch $@
# ---- Warnings, other machines, what was built ------------------------------------------
.PHONY: objects
objects: $(ALL_OBJECTS)
	@echo "$(CC): fine"

.PHONY: check-fresh check-static check-hardening check-install check-needs check-notebook check-page check-parallel check-slurm run-portable run-arm64 run-valgrind run-coverage

check-hardening: $(BUILD)/headlight
	@sh tests/hardening.sh $<

check-install:
	$(call bring,$(NEEDS_BUILD) $(NEEDS_INSTALLED))
	$(inner) program
	@sh tests/install.sh

check-needs:
	@sh tests/needs.sh

# Where debootstrap can't be had the test says that it is skipped.
check-fresh:
	@BRING=yes sh -c "$$NEED_SCRIPT" bring $(NEEDS_FRESH) || :
	@sh tests/fresh.sh

# Where musl or Debian's sources can't be had the test says that it is skipped.
check-static:
	$(call bring,$(NEEDS_BUILD) $(NEEDS_TEST))
	$(inner) $(BUILD)/tests/runner
	@BRING=yes sh -c "$$NEED_SCRIPT" bring $(NEEDS_STATIC) || :
	+@sh tests/static.sh $(BUILD) "$(MAKE)"

# With the system's Python, whose packages these are.
check-notebook:
	$(call bring,$(NEEDS_BUILD) $(NEEDS_NOTEBOOK))
	$(inner) program
	@/usr/bin/python3 tests/notebook.py $(BUILD)/headlight

check-parallel:
	$(call bring,$(NEEDS_BUILD) $(NEEDS_PARALLEL))
	$(inner) program
	@bash tests/parallel.sh $(BUILD)/headlight

# Chromium is large: where it can't be had the test says that it is skipped.
check-page:
	$(call bring,$(NEEDS_BUILD))
	@BRING=yes sh -c "$$NEED_SCRIPT" bring $(NEEDS_PAGE) || :
	$(inner) program
	@python3 -B tests/page/check_page.py $(BUILD)/headlight

check-slurm:
	$(call need,$(NEEDS_BUILD))
	$(inner) program
	@bash tests/slurm.sh $(BUILD)/headlight

# The sources in 32 bits: an empty file stands in for the one header that only a 32-bit C library
# has. Then each #error, which must be the first thing that is said about its file.
portable_objects = $(patsubst %.c,%.portable,$(wildcard src/*/*.c tests/*.c tests/*/*.c))
refused = if clang $(2) -fsyntax-only -Iinclude src/$(1).c 2>&1 | grep error: | head -1 | \
    grep -q '$(3)'; then echo "$(2): refused by name"; else \
    echo "src/$(1).c: with $(2) expected the error \"$(3)\" first"; exit 1; fi
run-portable: $(portable_objects)
	@echo "32 bits: fine"
	$(quiet)clang -fsyntax-only $(STANDARD) -DHEADLIGHT_PLAIN $(WARNINGS) -Werror -Iinclude src/base/system.c
	@echo "without what Linux alone has: fine"
	@$(call refused,tensor/safetensors,--target=powerpc64-linux-gnu,needs a little-endian machine)
	@$(call refused,tensor/kernels,--target=i686-linux-gnu -mno-sse,exactly the precision)
%.portable: %.c $(BUILD)/headers/gnu/stubs-32.h $(BUILD)/tests/targets.inc \
                $(BUILD)/made/lessons.inc $(BUILD)/made/options.inc $(BUILD)/made/colors.inc
	$(quiet)clang -m32 -msse2 -fsyntax-only $(STANDARD) $(if $(filter tests/%,$<),$(BEYOND)) $(WARNINGS) \
	    -Werror -Iinclude -Itests -I$(BUILD)/tests -I$(BUILD)/made $(DEFINES) -isystem $(BUILD)/headers \
	    $(package_cflags) $(test_cflags) -idirafter /usr/include/$$($(CC) -print-multiarch) $<
$(BUILD)/headers/gnu/stubs-32.h:
	@mkdir -p $(@D)
	@: > $@

# The fast tests as 64-bit Arm's: Debian's libraries for it lie beside them, and QEMU runs them.
arm64_root  := $(abspath $(BUILD))/arm64/root
arm64_needs  = $(filter-out pkg-config ncurses-term,$(call needed,2,$(NEEDS_BUILD) $(NEEDS_TEST)))
arm64_pkg   := PKG_CONFIG_SYSROOT_DIR=$(arm64_root) \
    PKG_CONFIG_LIBDIR=$(arm64_root)/usr/lib/aarch64-linux-gnu/pkgconfig:$(arm64_root)/usr/share/pkgconfig
run-arm64:
	+@for tool in apt-get aarch64-linux-gnu-gcc qemu-aarch64; do command -v $$tool >/dev/null || { \
	    echo "arm64: skipped, for want of $$tool"; exit; }; done; \
	[ -d $(arm64_root) ] || sh tests/arm64.sh $(arm64_root) $(arm64_needs) || exit 1; \
	$(arm64_pkg) $(MAKE) --no-print-directory CC="aarch64-linux-gnu-gcc --sysroot=$(arm64_root)" \
	    RUN="qemu-aarch64 -L $(arm64_root)" BUILD=$(BUILD)/arm64 FAST=1 -k program run-tests

run-valgrind: $(BUILD)/headlight
	@sh tests/valgrind.sh $<

# The first target forgets what earlier runs counted, before the tests count anew. Threads that count
# at the same time may lose some counts, but no line.
.PHONY: forget-coverage
run-coverage: run-tests
	@gcovr -j $(JOBS) -f 'src/' -e 'src/terminal/curses' --gcov-ignore-parse-errors --fail-under-line 90 \
	    --object-directory $(BUILD) $(BUILD)
forget-coverage:
	@mkdir -p $(BUILD) && find $(BUILD) -name '*.gcda' -delete
