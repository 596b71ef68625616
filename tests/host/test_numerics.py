#!/usr/bin/env python3
"""How step and number types change the statistics of a run, by `taut run`. TAUT: the program."""

import statistics
import unittest

from test_published import run, run_all


def relative(a: float, b: float) -> float:
    return abs(a - b) / abs(b)


class Convergence(unittest.TestCase):
    """6S90MC-C at constant speed, the same 3 s with every step."""

    def test_step(self):
        base = ("6s90mc-c", "--duration-s", "3", "--stats-from-s", "1.5", "--step-us")
        steps_us = (1, 5, 10, 20, 50)
        reference, *coarser = run_all([(*base, str(step)) for step in steps_us])
        for step_us, found in zip(steps_us[1:], coarser):
            for number, (strand, exact) in enumerate(zip(found["strands"], reference["strands"])):
                mean = relative(strand["mean_N"], exact["mean_N"])
                sd = relative(strand["sd_N"], exact["sd_N"])
                peak = relative(strand["p999_N"], exact["p999_N"])
                print(f"{step_us} us, strand {number + 1}: mean {mean:.2e} sd {sd:.2e} "
                      f"99.9 % {peak:.2e}")
                self.assertLess(mean, 2e-3)
                self.assertLess(peak, 5e-3)


class Precision(unittest.TestCase):
    def test_float_forces_equal_double(self):
        base = ("6s90mc-c", "--duration-s", "15", "--stats-from-s", "5", "--precision")
        double, mixed, single = run_all([(*base, p) for p in ("double", "mixed", "float")])
        for number, exact in enumerate(double["strands"]):
            for name, found in (("mixed", mixed), ("float", single)):
                strand = found["strands"][number]
                print(f"{name}, strand {number + 1}: "
                      f"mean {relative(strand['mean_N'], exact['mean_N']):.2e} "
                      f"sd {relative(strand['sd_N'], exact['sd_N']):.2e}")
            strand = mixed["strands"][number]
            self.assertLess(relative(strand["mean_N"], exact["mean_N"]), 1e-3)
            self.assertLess(relative(strand["sd_N"], exact["sd_N"]), 1e-2)

    def test_float_forces_on_a_chaotic_drive(self):
        """6L60MC: as far from the mean of runs in double that start an eighth of a tooth apart as
        these lie from each other: 3 standard deviations of eight."""
        base = ("6l60mc", "--duration-s", "25", "--stats-from-s", "15")
        phases = [str(eighth / 8) for eighth in range(8)]
        *doubles, mixed = run_all([*((*base, "--start-phase", phase) for phase in phases),
                                   (*base, "--precision", "mixed")])
        for number, strand in enumerate(mixed["strands"]):
            for figure in ("mean_N", "sd_N"):
                values = [double["strands"][number][figure] for double in doubles]
                mean, deviation = statistics.mean(values), statistics.stdev(values)
                print(f"strand {number + 1} {figure}: {mean:.0f} +- {deviation:.0f}, "
                      f"mixed {strand[figure]:.0f}")
                self.assertLess(abs(strand[figure] - mean), 3 * deviation)


if __name__ == "__main__":
    unittest.main()
