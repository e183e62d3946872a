# packages.mk: the source as a tarball, and packages made from it. Part of the Makefile, whose targets
# for people lead here.

# PLACEHOLDERS: the project has neither a home page nor an address yet, and the formats demand them.
# Here alone they are written.
HOME_PAGE  ?= https://example.org/headlight
MAINTAINER ?= the headlight authors <headlight@example.org>

# When the source was last changed. Each file of an unpacked tarball is as old as that.
SOURCE_DATE_EPOCH ?= $(shell if [ -e .git ]; then git log -1 --format=%ct; else date -r Makefile +%s; fi)
TAR     ?= tar
DISTNAME := headlight-$(VERSION)
TARBALL  := $(BUILD)/$(DISTNAME).tar.gz

.PHONY: tarball debian-source debian-package package-files check-packaging check-reproducible

# The same files give the same bytes: by name, of nobody, of one time, and readable for all.
dist_files = if [ -e .git ]; then git ls-files -z; else \
    find . -path ./$(BUILD) -prune -o -path ./debian -prune -o -path ./.pc -prune -o -type f -print0 | sed -z 's,^\./,,'; fi
tarball:
	@mkdir -p $(BUILD)
	$(quiet)$(dist_files) | LC_ALL=C sort -z | $(TAR) --null -T - --format=ustar --owner=0 --group=0 --numeric-owner \
	    --mode=u+rw,go+r,go-w --mtime=@$(SOURCE_DATE_EPOCH) --transform='s,^,$(DISTNAME)/,' -cf $(TARBALL:.gz=.new)
	$(quiet)gzip -9n < $(TARBALL:.gz=.new) > $(TARBALL) && rm $(TARBALL:.gz=.new)
	@echo "  $(TARBALL)"

# ---- What the package files say ---------------------------------------------------------------
# @NAME@ in them becomes what NAME is here: versions and dependencies stand in the Makefile alone.
# COLUMN of the needs: 2 apt, 3 dnf, 4 pacman, 5 brew.
needed = $(filter-out -,$(foreach need,$(2),$(word $(1),$(subst :, ,$(need)))))
libraries := $(filter-out pkg-config:%,$(NEEDS_BUILD))
linked    := $(filter-out openblas:%,$(libraries))
listed = $(subst $(subst x,,x x),$(1),$(strip $(2)))
fill = sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@HOME_PAGE@|$(HOME_PAGE)|g' -e 's|@MAINTAINER@|$(MAINTAINER)|g' \
    -e "s|@DATE@|$$(LC_ALL=C date -u -R -d @$(SOURCE_DATE_EPOCH))|g" \
    -e "s|@DAY@|$$(LC_ALL=C date -u '+%a %b %d %Y' -d @$(SOURCE_DATE_EPOCH))|g" \
    -e 's|@DEBIAN_BUILD@|$(call listed,$(comma) ,$(call needed,2,$(NEEDS_BUILD)))|' \
    -e 's|@DEBIAN_TEST@|$(subst <, <,$(call listed,$(comma) ,$(addsuffix <!nocheck>,$(call needed,2,$(NEEDS_TEST)))))|' \
    -e 's|@RPM_BUILD@|$(call listed,$(comma) ,$(call needed,3,$(NEEDS_BUILD) $(NEEDS_TEST)))|' \
    -e 's|@ARCH_RUN@|$(call needed,4,$(linked))|' \
    -e 's|@ARCH_BUILD@|$(call needed,4,$(filter-out $(linked),$(NEEDS_BUILD)))|' \
    -e 's|@ARCH_TEST@|$(call needed,4,$(NEEDS_TEST))|' \
    -e 's|^@BREW_NEEDS@$$|$(subst \n ,\n,$(foreach package,$(call needed,5,$(libraries)),\  depends_on "$(package)"\n))|' \
    -e "s|@SHA256@|$$(sha256sum < $(TARBALL) | cut -d ' ' -f 1)|"

package-files:
	@mkdir -p $(BUILD)/packaging
	$(quiet)for file in headlight.rb headlight.spec PKGBUILD; do \
	    $(fill) assets/packaging/$$file > $(BUILD)/packaging/$$file || exit 1; done
	@cp $(TARBALL) $(BUILD)/packaging
	@echo "  $(BUILD)/packaging"

# ---- Debian -------------------------------------------------------------------------------------
DEB := $(BUILD)/deb
debian-source:
	$(quiet)rm -rf $(DEB) && mkdir -p $(DEB)
	$(quiet)cp $(TARBALL) $(DEB)/headlight_$(VERSION).orig.tar.gz
	$(quiet)$(TAR) -xzf $(TARBALL) -C $(DEB)
	$(quiet)cp -R assets/packaging/debian $(DEB)/$(DISTNAME)/debian
	$(quiet)for file in control changelog copyright; do \
	    $(fill) assets/packaging/debian/$$file > $(DEB)/$(DISTNAME)/debian/$$file || exit 1; done
debian-package: debian-source
	$(quiet)cd $(DEB)/$(DISTNAME) && env -u MAKEFLAGS -u MAKELEVEL SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) \
	    dpkg-buildpackage -us -uc

# ---- Checks -------------------------------------------------------------------------------------
check-packaging:
	$(inner) BUILD=$(BUILD)/check-packaging tarball
	$(inner) BUILD=$(BUILD)/check-packaging package-files debian-source
	@bash tests/packaging.sh $(BUILD)/check-packaging $(VERSION)
check-reproducible: tarball $(BUILD)/headlight
	@sh tests/reproducible.sh $(BUILD) $(DISTNAME)
