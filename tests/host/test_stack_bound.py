"""Tests of boards/cortex_m/stack_bound.py on small images, compiled here by arm-none-eabi-gcc."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "boards" / "cortex_m" / "stack_bound.py"
FLAGS = ("-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -fstack-usage "
         "-ffunction-sections").split()
CXX_FLAGS = ["-std=c++20", "-fno-exceptions", "-fno-rtti"]
LINK = ["-nostartfiles", "-Wl,-e,Reset_Handler"]
NO_INTERRUPTS = ["--nesting", "0"]

PRELUDE = """
#define NOINLINE __attribute__((noinline))
volatile int n;
#ifdef __cplusplus
extern "C"
#endif
void Reset_Handler(void);
"""
# A leaf whose frame is its array, which is a multiple of 8: gcc keeps sp aligned to that.
LEAF_400 = "NOINLINE void leaf(int i) { volatile char a[400]; a[i] = 1; (void)a[n]; }\n"
# A table of pointers that the compiler cannot see through.
POINTER = "void (*volatile pointer)(int);\n"


@unittest.skipUnless(shutil.which("arm-none-eabi-gcc"), "needs arm-none-eabi-gcc")
class StackBoundTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.indirect = self.folder / "indirect.txt"
        self.indirect.write_text("")

    def build(self, source, language="c", flags=(), link=()):
        path = self.folder / f"image.{language}"
        path.write_text(PRELUDE + source)
        compiler = "arm-none-eabi-g++" if language == "cpp" else "arm-none-eabi-gcc"
        flags = [*FLAGS, *(CXX_FLAGS if language == "cpp" else []), *flags]
        for command in ([compiler, *flags, "-c", path.name, "-o", "image.o"],
                        [compiler, *flags, *LINK, *link, "image.o", "-lm", "-o", "image.elf"]):
            subprocess.run(command, cwd=self.folder, check=True)

    def run_tool(self, *options):
        command = [sys.executable, TOOL, self.folder / "image.elf", "--objects", self.folder,
                   "--indirect", self.indirect, *options]
        return subprocess.run(command, capture_output=True, text=True)

    def assert_bound(self, expected_bytes, *options):
        result = self.run_tool("--stack-bytes", "10000", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        last = result.stdout.splitlines()[-1]
        percent = expected_bytes / 100
        self.assertEqual(last, f"stack bound: {expected_bytes} bytes of 10000 ({percent:.1f} %)",
                         result.stdout)
        return result.stdout

    def assert_error(self, pattern, *options, status=1):
        result = self.run_tool("--stack-bytes", "10000", *options)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertRegex(result.stderr, pattern)
        self.assertNotIn("Traceback", result.stderr)

    def disassembly(self):
        return subprocess.run(["arm-none-eabi-objdump", "-d", self.folder / "image.elf"],
                              capture_output=True, text=True, check=True).stdout

    def frame(self, name):
        """The frame that the report gives for a function on the deepest path."""
        result = self.run_tool("--stack-bytes", "10000")
        return int(re.search(rf"^  {re.escape(name)} +(\d+)", result.stdout, re.M)[1])


class FrameTest(StackBoundTest):
    def test_frames_along_the_deepest_path_add_up(self):
        self.build(LEAF_400 + """
            NOINLINE void shallow(int i) { volatile char a[40]; a[i] = 1; }
            NOINLINE void middle(int i) { volatile char a[200]; a[i] = 1; leaf(i); a[n] = 2; }
            void Reset_Handler(void) { shallow(n); middle(n); n = 1; }""")
        # push {lr}/{r4, lr} and padding: 8 bytes each in Reset_Handler and middle.
        report = self.assert_bound(400 + 208 + 8, *NO_INTERRUPTS)
        self.assertRegex(report, r"Reset_Handler +8 +8\n +middle +208 +216\n +leaf +400 +616\n")

    def test_saved_fp_registers_count(self):
        self.build("""
            NOINLINE void user(void) { __asm volatile("" ::: "r4", "s16", "s17", "s18", "s20"); }
            void Reset_Handler(void) { user(); n = 1; }""")
        self.assertIn("vpush", self.disassembly())
        usage = self.folder / "image.su"
        usage.write_text(re.sub(".*user.*\n", "", usage.read_text()))   # the code has to do
        self.assert_bound(3 * 8 + 4 + 8, *NO_INTERRUPTS)   # d8 to d10, and r4

    def test_frame_too_large_for_one_instruction(self):
        self.build("""
            NOINLINE void large(int i) { volatile char a[5004]; a[i] = 1; }
            void Reset_Handler(void) { large(n); n = 1; }""")
        self.assert_bound(5008 + 8, *NO_INTERRUPTS)

    def test_variadic_arguments_which_the_su_file_forgets(self):
        self.build("""
            NOINLINE int pick(int i, ...) {
                __builtin_va_list list;
                __builtin_va_start(list, i);
                return __builtin_va_arg(list, int);
            }
            void Reset_Handler(void) { n = pick(1, n, n); }""")
        self.assertGreaterEqual(self.frame("pick"), 16)

    def test_larger_of_su_file_and_disassembly(self):
        self.build(LEAF_400 + "void Reset_Handler(void) { leaf(n); n = 1; }")
        usage = self.folder / "image.su"
        text = usage.read_text()
        usage.write_text(text.replace("\t400\t", "\t640\t"))
        self.assert_bound(640 + 8, *NO_INTERRUPTS)
        usage.write_text(text.replace("\t400\t", "\t8\t"))
        self.assert_bound(400 + 8, *NO_INTERRUPTS)

    def test_template_instances_keep_their_own_frames(self):
        self.build("""
            template <int N> NOINLINE void use(int i) { volatile char a[N]; a[i] = 1; }
            namespace { NOINLINE void both(int i) { use<80>(i); use<400>(i); n = 1; } }
            void Reset_Handler() { both(n); n = 1; }""", "cpp")
        report = self.assert_bound(400 + 8 + 8, *NO_INTERRUPTS)
        self.assertRegex(report, r"use<80> +80\n")

    def test_alloca_is_an_error_that_names_the_place(self):
        self.build("""
            NOINLINE void take(volatile char* p) { p[0] = 1; }
            NOINLINE void hungry(int i) { take(__builtin_alloca(i)); }
            void Reset_Handler(void) { hungry(n); n = 1; }""")
        self.assert_error(r"image\.c:\d+: hungry has a frame without bound")

    def test_variable_length_array_without_su_entry_is_an_error(self):
        self.build("""
            NOINLINE int hungry(int i) { volatile int a[i]; a[n] = 1; return a[0]; }
            void Reset_Handler(void) { n = hungry(n); }""")
        usage = self.folder / "image.su"
        usage.write_text(re.sub(".*hungry.*\n", "", usage.read_text()))
        self.assert_error(r"hungry: `sub sp, .*` at 0x\w+ moves sp by no constant")

    def test_push_in_a_loop_is_an_error(self):
        self.build("""
            NOINLINE void greedy(void) { __asm volatile("1: push {r0}\\n subs r0, #1\\n bne 1b"); }
            void Reset_Handler(void) { greedy(); n = 1; }""")
        self.assert_error("greedy: .* lowers sp in a loop")

    def test_interrupt_attribute_that_aligns_sp(self):
        self.build(LEAF_400 + """
            void Reset_Handler(void) { n = 1; }
            __attribute__((interrupt)) void Tick_Handler(void) { leaf(n); }""",
                   flags=["-mgeneral-regs-only", "-mfloat-abi=softfp"])
        self.assert_bound(108 + 400 + 4 + 8, "--nesting", "1")   # 4 to align, push {r0, lr}


class CallTest(StackBoundTest):
    def test_tail_calls_are_calls(self):
        self.build(LEAF_400 + """
            NOINLINE void jumps(int i) { n = 2; leaf(i + 1); }
            NOINLINE void maybe(int i) { if (i) leaf(i + 2); }
            void Reset_Handler(void) { maybe(n); jumps(n); }""")
        self.assert_bound(400 + 8, *NO_INTERRUPTS)

    def test_switch_is_no_indirect_call(self):
        cases = "".join(f"case {i}: leaf({i * i}); n = {7 * i + 1}; return n * {i + 3};\n"
                        for i in range(12))
        self.build(LEAF_400 + f"NOINLINE int choose(int i) {{ switch (i) {{ {cases} }} return 0; }}"
                   "void Reset_Handler(void) { n = choose(n); }")
        self.assertRegex(self.disassembly(), r"\btb[bh]\b")
        self.assert_bound(400 + 8 + 8, *NO_INTERRUPTS)

    def test_switch_with_a_table_of_addresses(self):
        self.build("""
            void table(int);
            __asm(".text\\n .syntax unified\\n .thumb\\n .global table\\n .type table, %function\\n"
                  ".align 2\\n table: push {r4, lr}\\n adr r3, 1f\\n ldr pc, [r3, r0, lsl #2]\\n"
                  ".align 2\\n 1: .word 2f + 1\\n .word 3f + 1\\n"
                  "2: pop {r4, pc}\\n 3: sub sp, #32\\n add sp, #32\\n pop {r4, pc}\\n"
                  ".size table, . - table");
            void Reset_Handler(void) { table(n); n = 1; }""")
        self.assert_bound(8 + 32 + 8, *NO_INTERRUPTS)

    def test_long_branch_veneer(self):
        self.build("""
            __attribute__((section(".ram_code"))) NOINLINE void leaf(int i) {
                volatile char a[400]; a[i] = 1;
            }
            void Reset_Handler(void) { leaf(n); n = 1; }""",
                   link=["-Wl,--section-start=.ram_code=0x20000000"])
        report = self.assert_bound(400 + 8, *NO_INTERRUPTS)
        self.assertIn("veneer", report)

    def test_aliases_are_one_function(self):
        self.build(LEAF_400 + POINTER + """
            void other(int) __attribute__((alias("leaf")));
            void Reset_Handler(void) { pointer(n); other(n); n = 1; }""")
        for name in ("leaf", "other"):
            self.indirect.write_text(f"Reset_Handler: {name}\n")
            self.assert_bound(400 + 8, *NO_INTERRUPTS)

    def test_soft_double_division_is_included(self):
        self.build("""
            volatile double x;
            void Reset_Handler(void) { x = x / 3; n = 1; }""")
        result = self.run_tool("--stack-bytes", "10000", *NO_INTERRUPTS)
        self.assertRegex(result.stdout, r"(__aeabi_ddiv|__divdf3) +[1-9]")

    def test_double_addition_whose_entry_points_fall_into_each_other(self):
        # __aeabi_dsub has no end of its own: it runs on into __adddf3, which pushes 12 bytes.
        self.build("""
            volatile double x, y;
            void Reset_Handler(void) { x = x - y; n = 1; }""")
        result = self.run_tool("--stack-bytes", "10000", *NO_INTERRUPTS)
        self.assertRegex(result.stdout, r"(dsub|subdf3) .*\n +\S*(dadd|adddf3) +12")

    def test_recursion_prints_the_cycle(self):
        self.build("""
            int even(int i);
            NOINLINE int odd(int i) { int r = i ? even(i - 1) : 0; n = r; return r + 1; }
            NOINLINE int even(int i) { int r = i ? odd(i - 1) : 1; n = r; return r + 1; }
            void Reset_Handler(void) { n = even(n); }""")
        self.assert_error("recursion has no bound: (even -> odd -> even|odd -> even -> odd)")

    def test_direct_recursion(self):
        self.build("""
            NOINLINE int f(int i) { int r = i ? f(n) : 0; n = r; return r + 1; }
            void Reset_Handler(void) { n = f(n); }""")
        self.assert_error("recursion has no bound: f -> f")

    def test_a_loop_to_the_first_instruction_is_no_recursion(self):
        self.build("void Reset_Handler(void) { for (;;) { } }")
        self.assert_bound(0, *NO_INTERRUPTS)

    def test_call_that_never_returns_does_not_run_into_the_next_function(self):
        self.build("""
            __attribute__((noreturn)) NOINLINE void stop(void) { for (;;) n = 1; }
            NOINLINE void ends_in_stop(int i) { volatile char a[40]; a[i] = 1; stop(); }
            NOINLINE void behind(int i) { volatile char a[80]; a[i] = 1; ends_in_stop(i); }
            void Reset_Handler(void) { behind(n); }""")
        self.assertEqual(self.run_tool("--stack-bytes", "10000").returncode, 0)


class IndirectCallTest(StackBoundTest):
    SOURCE = LEAF_400 + POINTER + """
        namespace { NOINLINE void test_deep(int i) { volatile char a[800]; a[i] = 1; } }
        namespace taut { NOINLINE void run(int i) { pointer(i); n = 1; } }
        void Reset_Handler() { pointer = n ? leaf : test_deep; taut::run(n); n = 2; }"""

    def test_unlisted_caller_is_an_error_that_says_what_to_add(self):
        self.build(self.SOURCE, "cpp")
        self.assert_error(r"taut::run calls through a pointer \(`blx r\d`.*: "
                          r"add the line `taut::run: <its targets>` to .*indirect\.txt")

    def test_listed_targets_count(self):
        self.build(self.SOURCE, "cpp")
        for targets, frame in (("leaf", 400), ("leaf absent *::test_*", 800), ("l?af # why", 400)):
            self.indirect.write_text(f"# comment\nabsent: leaf\n\ntaut::run: {targets}\n")
            self.assert_bound(frame + 8 + 8, *NO_INTERRUPTS)

    def test_one_target_has_to_be_there(self):
        self.build(self.SOURCE, "cpp")
        self.indirect.write_text("taut::run: absent\n")
        self.assert_error("taut::run: the image has none of the targets .*absent")
        self.indirect.write_text("taut::run: absent nothing\n")
        self.assert_bound(8 + 8, *NO_INTERRUPTS)

    def test_malformed_line(self):
        self.build(self.SOURCE, "cpp")
        self.indirect.write_text("\ntaut::run leaf\n")
        self.assert_error(r"indirect\.txt:2: write `caller: target", status=2)

    def test_tail_call_through_a_pointer(self):
        self.build(LEAF_400 + POINTER + "void Reset_Handler(void) { pointer(n); }")
        self.assert_error(r"Reset_Handler calls through a pointer \(`bx r\d")

    def test_newlib_and_setjmp_with_the_list_of_the_project(self):
        self.indirect = TOOL.with_name("indirect_calls.txt")
        self.build("""
            #include <math.h>
            #include <setjmp.h>
            #include <string.h>
            extern "C" {
            using Constructor = void (*)();
            extern Constructor __init_array_start[], __init_array_end[];
            NOINLINE void run_constructors() {
                for (auto p = __init_array_start; p != __init_array_end; ++p) (*p)();
            }
            NOINLINE void UnityDefaultTestRun(void (*test)()) { test(); n = 3; }
            }
            jmp_buf place;
            char from[100], to[100];
            struct Deep { Deep() { volatile char a[2400]; a[n] = 1; } } deep;
            volatile double x;
            namespace { NOINLINE void test_all() {
                memcpy(to, from, n);
                n = strcmp(to, from) + memcmp(to, from, n);
                x = sin(x) / pow(x, 3.7);
                if (setjmp(place) == 0) longjmp(place, 1);
            } }
            void Reset_Handler() { run_constructors(); UnityDefaultTestRun(test_all); n = 1; }
            extern "C" int* __errno() { static int error; return &error; }""", "cpp")
        result = self.run_tool("--stack-bytes", "10000", *NO_INTERRUPTS)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"_GLOBAL__sub_I_n +8 +32\n +Deep::Deep +2400 +2432\n")
        self.assertIn("__kernel_rem_pio2", result.stdout)


class BoundTest(StackBoundTest):
    SOURCE = LEAF_400 + """
        void Reset_Handler(void) { n = 1; }
        void Fault_Handler(void) { leaf(n); n = 1; }
        void Tick_Handler(void) { volatile char a[40]; a[n] = 1; }
        void Small_IRQHandler(void) { volatile char a[16]; a[n] = 1; }"""

    def test_deepest_handlers_and_exception_frames_are_added(self):
        self.build(self.SOURCE)
        self.assert_bound(2 * 108 + 408 + 40)
        self.assert_bound(3 * 108 + 408 + 40 + 16, "--nesting", "3")
        self.assert_bound(2 * 108 + 40, "--interrupt", "Tick_Handler")

    def test_roots(self):
        self.build(self.SOURCE)
        self.assert_bound(408, *NO_INTERRUPTS, "--root", "Tick_Handler", "--root", "Fault_Handler")

    def test_over_budget(self):
        self.build(self.SOURCE)
        result = self.run_tool("--stack-bytes", "600")
        self.assertEqual(result.returncode, 1)
        self.assertIn("stack bound: 664 bytes of 600 (110.7 %)", result.stdout)
        self.assertIn("the stack is 64 bytes too small", result.stderr)

    def test_stack_size_from_the_linker_symbols(self):
        self.build(self.SOURCE, link=["-Wl,--defsym=__stack_bottom=0x20000000",
                                      "-Wl,--defsym=__stack_top=0x20000680"])
        self.assertIn("of 1664 (39.9 %)", self.run_tool().stdout)

    def test_usage_errors(self):
        self.build(self.SOURCE)
        result = self.run_tool()
        self.assertEqual(result.returncode, 2)
        self.assertIn("give --stack-bytes", result.stderr)
        self.assert_error("no function Other_Handler", "--root", "Other_Handler", status=2)
        self.assert_error("absent.txt not found", "--indirect", "absent.txt", status=2)
        (self.folder / "image.su").unlink()
        self.assert_error("no .su files under .*: compile with -fstack-usage", status=2)
        (self.folder / "image.elf").write_text("no image")
        self.assert_error("image.elf.*file format not recognized", status=2)
        (self.folder / "image.elf").unlink()
        self.assert_error("image.elf not found", status=2)


if __name__ == "__main__":
    unittest.main()
