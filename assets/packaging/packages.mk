# packages.mk: the source as a tarball. Part of the Makefile, whose targets for people lead here.

# When the source was last changed. Each file of an unpacked tarball is as old as that.
SOURCE_DATE_EPOCH ?= $(shell if [ -e .git ]; then git log -1 --format=%ct; else date -r Makefile +%s; fi)
TAR     ?= tar
DISTNAME := headlight-$(VERSION)
TARBALL  := $(BUILD)/$(DISTNAME).tar.gz

.PHONY: tarball check-reproducible

# The same files give the same bytes: by name, of nobody, of one time, and readable for all.
dist_files = if [ -e .git ]; then git ls-files -z; else \
    find . -path ./$(BUILD) -prune -o -path ./debian -prune -o -path ./.pc -prune -o -type f -print0 | sed -z 's,^\./,,'; fi
tarball:
	@mkdir -p $(BUILD)
	$(quiet)$(dist_files) | LC_ALL=C sort -z | $(TAR) --null -T - --format=ustar --owner=0 --group=0 --numeric-owner \
	    --mode=u+rw,go+r,go-w --mtime=@$(SOURCE_DATE_EPOCH) --transform='s,^,$(DISTNAME)/,' -cf $(TARBALL:.gz=.new)
	$(quiet)gzip -9n < $(TARBALL:.gz=.new) > $(TARBALL) && rm $(TARBALL:.gz=.new)
	@echo "  $(TARBALL)"

check-reproducible: tarball $(BUILD)/headlight
	@sh tests/reproducible.sh $(BUILD) $(DISTNAME)
