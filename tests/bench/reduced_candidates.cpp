// Two candidates for a microcontroller side by side, measured by the full model: the reduced chain
// (quasi-static wraps), and all rollers by a linearly implicit integrator in steps of one tick and
// of half a tick, in float. 6S90MC-C with everything, crankshaft at constant speed and under the
// 6th order. Without an argument some points, a few minutes; with FILE, as `taut validate --csv`
// writes it, the accelerated points there, whose figures of full and reduced chain are not computed
// again.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/reduce.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/step_size.h"
#include "tests/reference/implicit_chain.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/moving.h"

namespace {

using namespace taut;
using roller_chain::kTick_s;
using signal::ChainOutputs;

constexpr double kSettled_s = 10;
constexpr double kWindow_s = 10;  // made longer to whole turns
constexpr int kWindows = 3;
constexpr double kFullStep_s = 25e-6;  // at large swings 50 us gain energy
constexpr std::size_t kStrands = 4;

enum Candidate : std::size_t { kFull, kReduced, kTick, kHalfTick, kCandidates };
constexpr std::array<const char*, kCandidates> kNames{"full", "reduced", "implicit, 0.5 ms",
                                                      "implicit, 0.25 ms"};

// Of the tension in the middle of a strand.
using Figures = std::array<double, 3>;
constexpr std::array<const char*, 3> kFigureNames{"mean", "sd", "99.9 %"};
constexpr std::size_t kPeak = 2;

struct Run {
  std::array<Figures, kStrands> strand_N{};  // means over the windows
  std::vector<float> link_N;                 // tagged link once round the loop
  double driver_W = 0;                       // mean over the windows
  double used_s = 0;                         // of processor time, a simulated second
};

struct Point {
  double speed_rpm;
  double amplitude_rad_s2;
  std::array<Run, kCandidates> run;
};

struct Drive {
  drive::DriveModel model;
  roller_chain::Configuration<double> rest;
  reduced_chain::ReducedModel reduced;
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "reduced_candidates: %s\n", why.c_str());
  std::exit(1);
}

double processor_time_s() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Figures figures_of(std::vector<float>& samples_N) {
  const auto count = static_cast<double>(samples_N.size());
  double sum_N = 0;
  double squares_N2 = 0;
  for (const float sample_N : samples_N) {
    sum_N += static_cast<double>(sample_N);
    squares_N2 += static_cast<double>(sample_N) * static_cast<double>(sample_N);
  }
  const double mean_N = sum_N / count;
  const auto peak = samples_N.begin() + std::lround(0.999 * count) - 1;
  std::nth_element(samples_N.begin(), peak, samples_N.end());
  return {mean_N, std::sqrt(squares_N2 / count - mean_N * mean_N), static_cast<double>(*peak)};
}

// tick() moves on by a tick and gives the outputs.
template <typename Tick>
void observe(const Point& point, Tick tick, Run& run) {
  const double turn_s = 60 / point.speed_rpm;
  const long settling = std::lround(kSettled_s / kTick_s);
  const long window = std::lround(std::ceil(kWindow_s / turn_s) * turn_s / kTick_s);
  const long loop = std::lround(144.0 / 64.0 * turn_s / kTick_s);
  const long ticks = settling + kWindows * window;
  const auto measured = static_cast<double>(kWindows * window);
  const double begin_s = processor_time_s();
  std::array<std::vector<float>, kStrands> samples_N;
  for (long i = 0; i < ticks; ++i) {
    const ChainOutputs& outputs = tick();
    if (!std::isfinite(outputs.strand_middle_N[0])) {
      give_up("a chain flew apart at " + std::to_string(point.speed_rpm) + " rpm");
    }
    if (i >= ticks - loop) {
      run.link_N.push_back(outputs.tagged_link_N);
    }
    run.driver_W += i >= settling ? static_cast<double>(outputs.driver_W) / measured : 0;
    for (std::size_t s = 0; i >= settling && s < kStrands; ++s) {
      samples_N[s].push_back(outputs.strand_middle_N[s]);
    }
    if (i >= settling && (i + 1 - settling) % window == 0) {
      for (std::size_t s = 0; s < kStrands; ++s) {
        const Figures figures_N = figures_of(samples_N[s]);
        for (std::size_t f = 0; f < figures_N.size(); ++f) {
          run.strand_N[s][f] += figures_N[f] / kWindows;
        }
        samples_N[s].clear();
      }
    }
  }
  run.used_s = (processor_time_s() - begin_s) / (static_cast<double>(ticks) * kTick_s);
}

void run_full(const Drive& drive, const Point& point, Run& run) {
  static drive_test::Moving<double, float> moving;
  static ChainOutputs outputs;
  start(drive.model, drive.rest,
        {.speed_rpm = point.speed_rpm,
         .step = {.step_s = kFullStep_s},
         .order = 6,
         .order_amplitude_rad_s2 = point.amplitude_rad_s2},
        moving);
  observe(
      point,
      [] {
        advance(moving, std::lround(kTick_s / kFullStep_s));
        predict(moving.model, moving.state, moving.scratch, {}, outputs);
        return outputs;
      },
      run);
}

void run_reduced(const Drive& drive, const Point& point, Run& run) {
  static reduced_test::Running running;
  static ChainOutputs outputs;
  reduced_test::start(drive.reduced, point.speed_rpm, point.amplitude_rad_s2, running);
  observe(
      point,
      [&] {
        reduced_test::advance(drive.reduced, running, 1);
        predict(drive.reduced, running.state, running.scratch, {}, outputs);
        return outputs;
      },
      run);
}

void run_implicit(const Drive& drive, const Point& point, long steps_a_tick, Run& run) {
  static implicit_chain::Model model;
  static implicit_chain::State state;
  static implicit_chain::Scratch scratch;
  static crank::SyntheticModel<float, 8> crank_model;
  static ChainOutputs outputs;
  crank::SyntheticState<float> crank{};
  const double step_s = kTick_s / static_cast<double>(steps_a_tick);
  const double speed_rad_s = point.speed_rpm * math::kTwoPi<double> / 60;
  if (!make_model(drive.model, {.step_s = step_s}, model)) {
    give_up("6S90MC-C is no drive for the implicit chain");
  }
  crank::make_synthetic({.step_s = step_s,
                         .speed_rad_s = speed_rad_s,
                         .order = 6,
                         .order_amplitude_rad_s2 = point.amplitude_rad_s2},
                        crank_model);
  crank::init(crank_model, crank);
  init(model, drive.rest, static_cast<float>(speed_rad_s), state, scratch);
  observe(
      point,
      [&] {
        for (long i = 0; i < steps_a_tick; ++i) {
          crank::advance(crank_model, crank);
          step(model, crank.motion, state, scratch);
        }
        predict(model.chain, state.chain, scratch.chain, {}, outputs);
        return outputs;
      },
      run);
}

// Those that have no figures yet.
void run_candidates(const Drive& drive, Point& point) {
  if (point.run[kFull].strand_N[0][0] == 0) {
    run_full(drive, point, point.run[kFull]);
    run_reduced(drive, point, point.run[kReduced]);
  }
  run_implicit(drive, point, 1, point.run[kTick]);
  run_implicit(drive, point, 2, point.run[kHalfTick]);
}

std::vector<Point> constant_points() {
  std::vector<Point> points;
  for (const double speed_rpm : {40, 50, 60, 70, 80, 90}) {
    points.push_back({speed_rpm, 0, {}});
  }
  return points;
}

// About the resonance of each amplitude, and away from it.
std::vector<Point> accelerated_points() {
  std::vector<Point> points;
  for (const double amplitude_rad_s2 : {2, 3, 4, 5, 6, 7}) {
    for (const double speed_rpm : {62, 64, 66, 68, 70, 76, 84}) {
      points.push_back({speed_rpm, amplitude_rad_s2, {}});
    }
  }
  return points;
}

// Rows of `taut validate --csv`, one a point and strand.
std::vector<Point> read_points(const char* name) {
  std::ifstream file(name);
  std::string line;
  std::getline(file, line);
  std::map<std::string, std::size_t> column;
  std::istringstream header(line);
  for (std::string cell; std::getline(header, cell, ',');) {
    column.emplace(cell, column.size());
  }
  for (const char* wanted : {"speed_rpm", "strand", "mean_full_N", "sd_full_N", "p999_full_N"}) {
    if (column.count(wanted) == 0) {
      give_up(std::string(name) + ": has no column " + wanted + "; wanted: taut validate --csv");
    }
  }
  std::vector<Point> points;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) {
      cells.push_back(cell);
    }
    const auto number = [&](const std::string& of) {
      return std::atof(cells.at(column.at(of)).c_str());
    };
    if (cells.size() < column.size() || number("order") != 6) {
      continue;
    }
    if (number("strand") == 1) {
      points.push_back({number("speed_rpm"), number("amplitude_rad_s2"), {}});
    }
    const auto s = static_cast<std::size_t>(number("strand") - 1);
    points.back().run[kFull].strand_N.at(s) = {number("mean_full_N"), number("sd_full_N"),
                                               number("p999_full_N")};
    points.back().run[kReduced].strand_N.at(s) = {number("mean_reduced_N"), number("sd_reduced_N"),
                                                  number("p999_reduced_N")};
  }
  return points;
}

double error_of(const Point& point, Candidate candidate, std::size_t strand, std::size_t figure) {
  return 100 * (point.run[candidate].strand_N[strand][figure] /
                    point.run[kFull].strand_N[strand][figure] -
                1);
}

std::size_t tightest(const Point& point) {
  std::size_t found = 0;
  for (std::size_t s = 1; s < kStrands; ++s) {
    const auto& strand_N = point.run[kFull].strand_N;
    found = strand_N[s][kPeak] > strand_N[found][kPeak] ? s : found;
  }
  return found;
}

void print_point(const Point& point) {
  const std::size_t s = tightest(point);
  const Figures& full_N = point.run[kFull].strand_N[s];
  std::printf("%5.0f %4.0f %2zu %8.1f %7.1f %7.1f", point.speed_rpm, point.amplitude_rad_s2, s + 1,
              full_N[0] / 1e3, full_N[1] / 1e3, full_N[2] / 1e3);
  for (std::size_t c = kReduced; c < kCandidates; ++c) {
    std::printf("  |");
    for (std::size_t f = 0; f < kFigureNames.size(); ++f) {
      std::printf(" %+6.1f", error_of(point, static_cast<Candidate>(c), s, f));
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

void print_row(const std::string& name, const std::array<double, kCandidates>& values,
               int decimals) {
  std::printf("%-46s", name.c_str());
  for (std::size_t c = kReduced; c < kCandidates; ++c) {
    std::printf("%19.*f", decimals, values[c]);
  }
  std::printf("\n");
}

// Sizes of errors over all points and strands.
void print_errors(const char* what, const std::vector<Point>& points, std::size_t figure) {
  std::array<double, kCandidates> median{};
  std::array<double, kCandidates> worst{};
  for (std::size_t c = kReduced; c < kCandidates; ++c) {
    std::vector<double> sizes;
    for (const Point& point : points) {
      for (std::size_t s = 0; s < kStrands; ++s) {
        sizes.push_back(std::abs(error_of(point, static_cast<Candidate>(c), s, figure)));
      }
    }
    std::sort(sizes.begin(), sizes.end());
    median[c] = sizes[sizes.size() / 2];
    worst[c] = sizes.back();
  }
  const std::string name = std::string(what) + ", " + kFigureNames[figure];
  print_row(name + ": median error, %", median, 2);
  print_row(name + ": worst error, %", worst, 2);
}

// Largest 99.9 % within 5 rpm of the full model's; its speed by a parabola.
struct Peak {
  double speed_rpm;
  double height_N;
};
Peak peak_of(const std::vector<const Point*>& curve, Candidate candidate, std::size_t strand,
             double near_rpm) {
  const auto height_N = [&](std::size_t i) {
    return curve[i]->run[candidate].strand_N[strand][kPeak];
  };
  std::size_t top = curve.size();
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool near = std::abs(curve[i]->speed_rpm - near_rpm) <= 5;
    top = near && (top == curve.size() || height_N(i) > height_N(top)) ? i : top;
  }
  double speed_rpm = curve[top]->speed_rpm;
  if (top > 0 && top + 1 < curve.size()) {
    const double before_rpm = curve[top - 1]->speed_rpm;
    const double left = (height_N(top) - height_N(top - 1)) / (speed_rpm - before_rpm);
    const double right =
        (height_N(top + 1) - height_N(top)) / (curve[top + 1]->speed_rpm - speed_rpm);
    const double bend = (right - left) / (curve[top + 1]->speed_rpm - before_rpm);
    speed_rpm = bend < 0 ? (before_rpm + speed_rpm) / 2 - left / (2 * bend) : speed_rpm;
  }
  return {speed_rpm, height_N(top)};
}

void print_resonances(const std::vector<Point>& points) {
  std::map<double, std::vector<const Point*>> curves;
  for (const Point& point : points) {
    curves[point.amplitude_rad_s2].push_back(&point);
  }
  for (const auto& [amplitude_rad_s2, curve] : curves) {
    const Point& top = **std::max_element(curve.begin(), curve.end(), [](auto* a, auto* b) {
      return a->run[kFull].strand_N[tightest(*a)][kPeak] <
             b->run[kFull].strand_N[tightest(*b)][kPeak];
    });
    const Peak full = peak_of(curve, kFull, tightest(top), top.speed_rpm);
    std::array<double, kCandidates> speeds{};
    std::array<double, kCandidates> heights{};
    for (std::size_t c = kReduced; c < kCandidates; ++c) {
      const Peak peak = peak_of(curve, static_cast<Candidate>(c), tightest(top), top.speed_rpm);
      speeds[c] = peak.speed_rpm - full.speed_rpm;
      heights[c] = 100 * (peak.height_N / full.height_N - 1);
    }
    char name[64];
    std::snprintf(name, sizeof name, "%.0f rad/s^2: %.1f rpm, %.0f kN; speed, rpm",
                  amplitude_rad_s2, full.speed_rpm, full.height_N / 1e3);
    print_row(name, speeds, 2);
    print_row("  height, %", heights, 1);
  }
}

// Driver power, and RMS of the tagged link's difference, of its mean.
void print_constant(const std::vector<Point>& points) {
  for (const Point& point : points) {
    const std::vector<float>& full_N = point.run[kFull].link_N;
    std::array<double, kCandidates> rms{};
    std::array<double, kCandidates> driver{};
    for (std::size_t c = kReduced; c < kCandidates; ++c) {
      double squares_N2 = 0;
      double sum_N = 0;
      for (std::size_t i = 0; i < full_N.size(); ++i) {
        const auto off_N = static_cast<double>(point.run[c].link_N[i] - full_N[i]);
        squares_N2 += off_N * off_N;
        sum_N += static_cast<double>(full_N[i]);
      }
      const auto count = static_cast<double>(full_N.size());
      driver[c] = 100 * (point.run[c].driver_W / point.run[kFull].driver_W - 1);
      rms[c] = 100 * std::sqrt(squares_N2 / count) / (sum_N / count);
    }
    char name[64];
    std::snprintf(name, sizeof name, "%.0f rpm: a link round the loop, RMS, %%", point.speed_rpm);
    print_row(name, rms, 2);
    print_row("  driver power, %", driver, 2);
  }
}

void print_summary(const std::vector<Point>& constant, const std::vector<Point>& accelerated) {
  std::printf("\n%-46s", "against the full model");
  for (std::size_t c = kReduced; c < kCandidates; ++c) {
    std::printf("%19s", kNames[c]);
  }
  std::printf("\n");
  print_errors("constant speed", constant, 0);
  print_constant(constant);
  for (std::size_t f = 0; f < kFigureNames.size(); ++f) {
    print_errors("6th order", accelerated, f);
  }
  print_resonances(accelerated);
  std::array<double, kCandidates> speed{};
  for (std::size_t c = kFull; c < kCandidates; ++c) {
    speed[c] = 1 / constant.front().run[c].used_s;
    for (const Point& point : constant) {
      speed[c] = std::max(speed[c], 1 / point.run[c].used_s);
    }
  }
  print_row("times real time, best of the constant speeds", speed, 1);
}

}  // namespace

int main(int arguments, char** argument) {
  static Drive drive;
  if (!drive::make_drive_model(drive_test::engine_6s90mc_c(), drive.model)) {
    give_up("6S90MC-C is no drive");
  }
  const roller_chain::Equilibrium rest = roller_chain::find_equilibrium(drive.model);
  if (!rest.found || !reduced_chain::reduce(drive.model, drive.reduced).made) {
    give_up("6S90MC-C finds no rest or cannot be reduced");
  }
  drive.rest = rest.at;
  std::vector<Point> constant = constant_points();
  std::vector<Point> accelerated = arguments > 1 ? read_points(argument[1]) : accelerated_points();
  std::printf("tightest strand of the full model, kN, and errors in %% of mean, sd and 99.9 %%\n");
  std::printf("%5s %4s %2s %24s", "rpm", "A", "", "full: mean, sd, 99.9 %");
  for (std::size_t c = kReduced; c < kCandidates; ++c) {
    std::printf("  | %20s", kNames[c]);
  }
  std::printf("\n");
  for (std::vector<Point>* points : {&constant, &accelerated}) {
    for (Point& point : *points) {
      run_candidates(drive, point);
      print_point(point);
    }
  }
  print_summary(constant, accelerated);
  return 0;
}
