# Every target brings what it needs first: see host_tools/setup.
# The same by hand: cmake --preset host && cmake --build --preset host && ctest --preset host

.DEFAULT_GOAL := host
.PHONY: help setup host demo same-bits test firmware bench fuzz format lint clean
# One build tree after the other, each on all cores: the output stays readable.
.NOTPARALLEL:
# Keep the build trees that only a pattern rule mentions.
.SECONDARY:

presets := host host-o0 host-o3 host-clang host-no-cmsis-dsp asan m4 m7
sources = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cpp')

help:
	@echo "make            everything for the PC; the program is build/host/taut"
	@echo "make demo       an engine's chain drive and its twin for a minute, on a page to watch;"
	@echo "                TARGET=m7 or m4: the twin as firmware on an emulated board"
	@echo "make same-bits  one strand of chain on the PC and on two emulated boards, bit for bit"
	@echo "make test       all tests on the PC and on both boards, and every quality gate"
	@echo "make firmware   images for both boards: their size, stack, instructions of a tick, also"
	@echo "                under a flood of packets; and each in a closed loop with the virtual bench"
	@echo "make bench      speed of both chains; instructions per call on PC, Cortex-M4F and"
	@echo "                Cortex-M7; all 2^32 floats; ten hours of the reduced chain;"
	@echo "                10^7 ticks of a twin; XCP on this PC: a flood of packets, and a minute"
	@echo "                of ten signals at every tick"
	@echo "make fuzz       10^7 executions of each fuzzer of XCP's parsers"
	@echo "make format     format the sources"
	@echo "make lint       format, layers, clang-tidy and cppcheck, changing nothing"
	@echo "make clean      remove build/ (the packages in .deps stay)"

setup:
	@host_tools/setup/setup.sh

build/%/build.ninja: | setup
	cmake --preset $*

build-%: build/%/build.ninja
	cmake --build --preset $*

host: build-host

# On another target the twin runs as firmware: make demo TARGET=m7
TARGET := pc
ifeq ($(filter $(TARGET),pc m4 m7),)
$(error TARGET=$(TARGET): allowed pc, m4, m7)
endif
demo_board := $(filter-out pc,$(TARGET))
demo_target := $(if $(demo_board),--target $(demo_board) --image build/$(demo_board)/boards/taut_firmware)

# Builds what it shows and no more.
demo: build/host/build.ninja $(demo_board:%=build/%/build.ninja)
	cmake --build --preset host --target taut
	$(if $(demo_board),cmake --build --preset $(demo_board) --target taut_firmware)
	build/host/taut live 6s90mc-c --start rest --duration-s 60 --port 0 --out out/demo $(demo_target)

same-bits: build-host build-m4 build-m7
	host_tools/demo/side_by_side.sh build

test: build-sim-core $(presets:%=build-%) lint
	for preset in $(presets); do \
		echo; echo "== ctest --preset $$preset"; ctest --preset $$preset || exit 1; done

firmware: build-host build-m4 build-m7
	boards/cortex_m/describe_image.sh mps2-an386 build/m4
	build/host/tests/closed_loop mps2-an386 build/m4/boards/taut_firmware
	boards/cortex_m/describe_image.sh mps2-an500 build/m7
	build/host/tests/closed_loop mps2-an500 build/m7/boards/taut_firmware

bench: build-host build-m4 build-m7
	build/host/tests/chain_speed
	@echo
	tests/bench/cost_table.py build
	build/host/tests/exhaustive_float
	@echo
	build/host/tests/reduced_chain_hours 10
	@echo
	build/host/tests/twin_hours
	@echo
	build/host/tests/xcp_flood clock 10
	tests/bench/flood_cost.py build/host/tests/xcp_flood
	@echo
	PYTHONPATH=.deps/python tests/bench/xcp_daq.py build/host/taut 60

fuzz: build-host
	for name in slave sxi udp; do \
		tests/fuzz/run.sh build/host/tests/fuzz_$$name tests/fuzz/corpus/$$name 10000000 || exit 1; done

format: setup
	@clang-format -i $(sources)

cppcheck := cppcheck --quiet -j2 --enable=warning,performance,portability --error-exitcode=1 \
	--suppress='*:*/.deps/*' --suppress='shiftTooManyBits:*/float_bits.h' \
	--suppress='shiftTooManyBitsSigned:*/float_bits.h' \
	--suppress='duplInheritedMember:*/test_suites_can_fail.cpp'
# $(call tidy,PRESET,FOLDERS): prints only if something is wrong. Not for tests/unit, which would take
# longer than all others together and run under sanitizers anyway.
tidy = echo "clang-tidy: $(1)"; run-clang-tidy -quiet -p build/$(1) -extra-arg=$(tidy_define) \
	'$(CURDIR)/(build/$(1)/)?($(2))/' >build/tidy-$(1).log 2>&1 || { cat build/tidy-$(1).log; exit 1; }
# clang has no range of newlib's wide characters, which ETL asks for.
tidy_define := -D__WCHAR_MIN__=0

lint: build/lint/build.ninja build/m4/build.ninja
	@clang-format --dry-run -Werror $(sources)
	tests/host/check_layers.py
	@$(call tidy,lint,sim_core|hal|firmware|boards|host_tools|tests/(bench|reference|support|host))
	@$(call tidy,m4,boards|tests/boards)
	@$(cppcheck) --project=build/lint/compile_commands.json
	@$(cppcheck) --project=build/m4/compile_commands.json --file-filter='*/boards/*'

clean:
	rm -rf build
