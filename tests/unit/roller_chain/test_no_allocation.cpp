// A million steps of a running chain with its outputs every tick: no memory is asked for, no page
// is missing. The same run, 50 s of the drive's time, shows that nothing drifts and no tooth is
// jumped.
// The linker hands every call of malloc and its kin to the counters here (--wrap); operator new is
// replaced, so that libraries call it here as well.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <sys/resource.h>

#include "unity.h"

#include "sim_core/roller_chain/step_size.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

// Volatile: a compiler knows that the malloc of the library changes no variable of ours, and
// would not read this one again.
volatile long allocations = 0;

void count_one() {
  allocations = allocations + 1;
}

}  // namespace

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void* __wrap_malloc(std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size);
void* __wrap_realloc(void* memory, std::size_t size);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size);
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  count_one();
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  count_one();
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
  count_one();
  return __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  count_one();
  return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  count_one();
  return __real_posix_memalign(memory, alignment, size);
}
}

// The nothrow forms of the library call these.
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) {
    std::abort();
  }
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step);
  if (memory == nullptr) {
    std::abort();
  }
  return memory;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::Moving;

// In a build with sanitizers, many times slower, a tenth must do.
#ifdef __SANITIZE_ADDRESS__
constexpr long kMillion = 100'000;
#else
constexpr long kMillion = 1'000'000;
#endif

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

template <typename Allocate>
void check_counts(const char* name, Allocate allocate) {
  const long before = allocations;
  allocate();
  TEST_ASSERT_TRUE_MESSAGE(allocations > before, name);
}

// Hides from the compiler that memory is not used: it may leave out what nobody sees.
void use(const void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

void test_counters_count() {
  const auto free_used = [](void* memory) {
    use(memory);
    std::free(memory);
  };
  check_counts("malloc", [&] { free_used(std::malloc(100)); });
  check_counts("calloc", [&] { free_used(std::calloc(10, 10)); });
  check_counts("realloc", [&] { free_used(std::realloc(nullptr, 100)); });
  check_counts("aligned_alloc", [&] { free_used(std::aligned_alloc(64, 128)); });
  check_counts("posix_memalign", [&] {
    void* memory = nullptr;
    TEST_ASSERT_EQUAL(0, posix_memalign(&memory, 64, 128));
    free_used(memory);
  });
  check_counts("new", [] { use(std::make_unique<int>(1).get()); });
  check_counts("new []", [] { use(std::make_unique<int[]>(100).get()); });
  struct alignas(64) Aligned {
    char bytes[64];
  };
  check_counts("aligned new", [] { use(std::make_unique<Aligned>().get()); });
  check_counts("in a library", [] { use(std::string(1000, 'x').append("y").data()); });
  const long before = page_faults();
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kSize = 1000 * kPage;
  const auto pages = std::make_unique_for_overwrite<char[]>(kSize);
  for (std::size_t i = 0; i < kSize; i += kPage) {
    pages[i] = 1;
  }
  use(pages.get());
  TEST_ASSERT_TRUE(page_faults() > before);
}

// Of what a part of the run showed.
struct Means {
  PerSprocket<double> tension_N;
  PerSprocket<double> speed_rad_s;
};

void add(const Outputs& outputs, Means& means) {
  for (std::size_t s = 0; s < drive::kMaxSprockets; ++s) {
    means.tension_N[s] += static_cast<double>(outputs.strand_middle_N[s]);
    means.speed_rad_s[s] += static_cast<double>(outputs.sprocket_speed_rad_s[s]);
  }
}

void divide(double by, Means& means) {
  for (std::size_t s = 0; s < drive::kMaxSprockets; ++s) {
    means.tension_N[s] /= by;
    means.speed_rad_s[s] /= by;
  }
}

void run(Moving<>& moving, long ticks, long steps_a_tick, Means& means) {
  Outputs outputs{};
  means = {};
  for (long tick = 0; tick < ticks; ++tick) {
    advance(moving, steps_a_tick);
    predict(moving.model, moving.state, moving.scratch, {}, outputs);
    add(outputs, means);
  }
  divide(static_cast<double>(ticks), means);
}

// By how many teeth more than the crankshaft has each sprocket turned?
double teeth_ahead(const RollerModel<double>& model, const Means& means, std::size_t s,
                   double time_s) {
  const auto teeth_1_s = [&](std::size_t i) {
    return means.speed_rad_s[i] * model.sprocket[i].turn *
           model.sprocket[i].pitch_angle_inverse_1_rad;
  };
  return (teeth_1_s(s) - teeth_1_s(0)) * time_s;
}

void check_run(const drive::DriveSpec& spec, long steps) {
  const drive::DriveModel drive = drive_test::model_of(spec);
  const auto moving = std::make_unique<Moving<>>();
  start(drive, drive_test::at_rest(drive).at, {.speed_rpm = spec.crank.speed_rpm}, *moving);
  const long steps_a_tick = std::lround(kTick_s / moving->model.step_s);
  const long half = steps / steps_a_tick / 2;  // ticks
  // Longer than a turn of the crank: touches all memory, code included, and lets the drive settle.
  Means first{};
  Means last{};
  run(*moving, 2000, steps_a_tick, first);

  const long faults_before = page_faults();
  const long allocations_before = allocations;
  run(*moving, half, steps_a_tick, first);
  run(*moving, half, steps_a_tick, last);
  const long new_allocations = allocations - allocations_before;
  const long new_faults = page_faults() - faults_before;
  TEST_ASSERT_EQUAL(0, new_allocations);
  TEST_ASSERT_EQUAL(0, new_faults);

  // Tensions of both halves agree within 1.1e-4, teeth within 3e-4 of one.
  const double half_s = static_cast<double>(half) * kTick_s;
  for (std::size_t s = 0; s < moving->model.sprockets; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * first.tension_N[s], first.tension_N[s], last.tension_N[s]);
    TEST_ASSERT_DOUBLE_WITHIN(0.25, 0, teeth_ahead(moving->model, first, s, half_s));
    TEST_ASSERT_DOUBLE_WITHIN(0.25, 0, teeth_ahead(moving->model, last, s, half_s));
  }
}

// Two sprockets and one each of all that 6S90MC-C has: a million of its steps would take 18 s
// (2026-11-16, one core of a Xeon at 2.8 GHz), of these they take 6.
drive::DriveSpec small_drive() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.chain.links = 48;
  spec.crank.speed_rpm = 200;
  const double centre_m = 12 * spec.chain.pitch_m;
  spec.sprockets.clear();
  spec.sprockets.push_back(drive_test::sprocket(0, 0, 24, 0, 0, 0));
  spec.sprockets.push_back(drive_test::sprocket(0, centre_m, 24, 0, 200, 300));
  spec.guide_bars.clear();
  spec.guide_bars.push_back(drive_test::guide_bar_6s90mc_c(1, 0.5));
  spec.guide_bars[0].flat_length_m = 0.4;
  spec.guide_bars[0].end_radius_m = 0.3;
  spec.guide_bars[0].indentation_m = 0.002;
  drive::TightenerSpec& tightener = spec.tightener;
  tightener.sprocket = 2;
  tightener.pivot_x_m = 0.6;
  tightener.pivot_y_m = centre_m;
  tightener.mass_centre_x_m = 0.3;
  tightener.mass_centre_y_m = centre_m;
  tightener.spring_on_arm_x_m = -0.3;
  tightener.spring_on_arm_y_m = centre_m;
  tightener.spring_on_ground_x_m = -0.3;
  tightener.spring_on_ground_y_m = centre_m + 1;
  tightener.spring_free_length_m = 0.985;  // 50 kN of tension
  return spec;
}

void test_a_million_steps_of_a_small_drive_ask_for_no_memory() {
  check_run(small_drive(), kMillion);
}

void test_6s90mc_c_asks_for_no_memory() {
  check_run(drive_test::engine_6s90mc_c(), kMillion / 10);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_counters_count);
  RUN_TEST(test_a_million_steps_of_a_small_drive_ask_for_no_memory);
  RUN_TEST(test_6s90mc_c_asks_for_no_memory);
  return UNITY_END();
}
