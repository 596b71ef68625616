// All 2^32 floats through every unary float function, against the double libm of the host.
// Prints the worst error and where it is; exit code 1 if a bound is broken. Host only: minutes, not
// milliseconds, hence no part of the unit tests.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"
#include "tests/unit/math/ulp.h"

namespace {

namespace math = taut::math;

struct Function {
  const char* name;
  float (*ours)(float);
  double (*reference)(double);
  double bound_ulp;
};

// The root is correctly rounded; the hundred-thousandth is for the rounding of the reference.
constexpr double kCorrectlyRounded = 0.50001;

const Function kFunctions[] = {
    {"sin", [](float x) { return math::sin(x); }, [](double x) { return std::sin(x); }, 2.0},
    {"cos", [](float x) { return math::cos(x); }, [](double x) { return std::cos(x); }, 2.0},
    {"atan", [](float x) { return math::atan(x); }, [](double x) { return std::atan(x); }, 2.0},
    {"tanh", [](float x) { return math::tanh(x); }, [](double x) { return std::tanh(x); }, 2.0},
    {"exp", [](float x) { return math::exp(x); }, [](double x) { return std::exp(x); }, 2.0},
    {"rsqrt", [](float x) { return math::rsqrt(x); },
     [](double x) { return 1.0 / (x == 0.0 ? x : std::sqrt(x)); }, 2.0},
    {"sqrt", [](float x) { return math::sqrt(x); }, [](double x) { return std::sqrt(x); },
     kCorrectlyRounded},
    {"sqrt_by_digits", [](float x) { return math::detail::sqrt_by_digits(x); },
     [](double x) { return std::sqrt(x); }, kCorrectlyRounded},
};

struct Finding {
  double worst_ulp = 0.0;
  float where = 0.0F;
  std::uint64_t over_bound = 0;
  std::uint64_t nan_mismatches = 0;
  std::uint64_t infinity_mismatches = 0;
};

void examine(const Function& function, float x, Finding& finding) {
  const float result = function.ours(x);
  const double exact = function.reference(static_cast<double>(x));
  if (std::isnan(result) != std::isnan(exact)) {
    ++finding.nan_mismatches;
    return;
  }
  if (std::isinf(result) != std::isinf(static_cast<float>(exact))) {
    ++finding.infinity_mismatches;
  }
  const double error = math::test::ulp_error(result, exact);
  if (error > function.bound_ulp) {
    ++finding.over_bound;
  }
  if (error > finding.worst_ulp) {
    finding.worst_ulp = error;
    finding.where = x;
  }
}

void merge(const Finding& part, Finding& whole) {
  if (part.worst_ulp > whole.worst_ulp) {
    whole.worst_ulp = part.worst_ulp;
    whole.where = part.where;
  }
  whole.over_bound += part.over_bound;
  whole.nan_mismatches += part.nan_mismatches;
  whole.infinity_mismatches += part.infinity_mismatches;
}

// Blocks of 2^24 neighbours are handed out one by one, since cost differs between binades.
class BlockQueue {
 public:
  explicit BlockQueue(const char* name) : name_(name) {}

  bool take(std::uint32_t& block) {
    const std::lock_guard lock(mutex_);
    if (next_ == kBlocks) {
      return false;
    }
    block = next_++;
    show_progress();
    return true;
  }

 private:
  static constexpr std::uint32_t kBlocks = 256;

  void show_progress() const {
    if (isatty(STDERR_FILENO) == 0 || next_ < 2) {
      return;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    const double left_s = spent.count() * (kBlocks - next_ + 1) / (next_ - 1);
    std::fprintf(stderr, "\r%-14s %3u %%, %4.0f s left \r", name_, next_ * 100 / kBlocks, left_s);
  }

  const char* name_;
  std::mutex mutex_;
  std::uint32_t next_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Finding examine_all(const Function& function) {
  BlockQueue queue(function.name);
  Finding whole;
  std::mutex whole_mutex;
  const auto work = [&] {
    Finding part;
    std::uint32_t block = 0;
    while (queue.take(block)) {
      for (std::uint32_t i = 0; i < (1U << 24); ++i) {
        examine(function, math::from_bits<float>((block << 24) | i), part);
      }
    }
    const std::lock_guard lock(whole_mutex);
    merge(part, whole);
  };
  std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (auto& thread : threads) {
    thread = std::thread(work);
  }
  for (auto& thread : threads) {
    thread.join();
  }
  return whole;
}

bool report(const Function& function) {
  const Finding finding = examine_all(function);
  std::printf(
      "%-14s worst %.4f ulp at %a (%.9g), bound %.5g: %llu over; NaN mismatches %llu, "
      "infinity mismatches %llu\n",
      function.name, finding.worst_ulp, static_cast<double>(finding.where),
      static_cast<double>(finding.where), function.bound_ulp,
      static_cast<unsigned long long>(finding.over_bound),
      static_cast<unsigned long long>(finding.nan_mismatches),
      static_cast<unsigned long long>(finding.infinity_mismatches));
  std::fflush(stdout);
  return finding.over_bound == 0 && finding.nan_mismatches == 0;
}

int usage(std::FILE* out, int code) {
  std::fprintf(out,
               "usage: exhaustive_float [--only NAME]\n"
               "All 2^32 floats through each unary float function of sim_core/math, against the\n"
               "double libm. An infinity mismatch is a result on the other side of overflow; it\n"
               "counts as one step. Exit code 1 if a bound or a NaN is wrong, 2 on bad usage.\n"
               "  --only NAME  one function:");
  for (const auto& function : kFunctions) {
    std::fprintf(out, " %s", function.name);
  }
  std::fprintf(out, "\n  --help       this text\n");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const char* only = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0) {
      return usage(stdout, 0);
    }
    if (std::strcmp(argv[i], "--only") != 0 || i + 1 == argc) {
      return usage(stderr, 2);
    }
    only = argv[++i];
  }
  bool known = false;
  bool good = true;
  for (const auto& function : kFunctions) {
    if (only == nullptr || std::strcmp(only, function.name) == 0) {
      known = true;
      good = report(function) && good;
    }
  }
  if (!known) {
    return usage(stderr, 2);
  }
  return good ? 0 : 1;
}
