// What is kept of a run and said at its end: means, spreads, extremes, percentiles and main
// frequencies over the window of statistics. Fed with the outputs of every step in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim_core/roller_chain/outputs.h"

namespace taut::tool {

struct ForceStatistics {
  double mean_N;
  double sd_N;
  double max_N;
  double p999_N;  // 99.9 % of all samples are not above
};

struct StrandStatistics {
  ForceStatistics tension;  // at the strand's middle
  double mean_of_links_N;   // of the strand's free links
  std::vector<double> peaks_Hz;
  double mid_mean_m;  // of the strand's middle, to the left of travel
  double mid_sd_m;
  std::vector<double> mid_peaks_Hz;
};

struct TightenerStatistics {
  double centre_x_m;  // of its sprocket
  double centre_y_m;
  double arm_angle_rad;
  double arm_sd_rad;
  std::vector<double> com_peaks_Hz;  // of the arm's mass centre, up and down
  double force_mean_N;               // between arm and ground, tension positive
  double travel_mean_m;              // of a hydraulic unit
  double pressure_mean_Pa;
  double pressure_max_Pa;
  double flow_mean_m3_s;
};

struct BearingStatistics {
  double mean_x_N;  // of the force on the bearings of a sprocket
  double mean_y_N;
  double max_N;         // of its size
  double offset_max_m;  // how far the support yields at most
};

struct PowerColumn {
  const char* name;
  const char* in_words;
  float roller_chain::Outputs::*member;
};

// What gives first, then all that takes.
inline constexpr std::size_t kGivers = 2;
inline constexpr std::array<PowerColumn, 9> kPowerColumns{{
    {"driver", "crankshaft", &roller_chain::Outputs::driver_W},
    {"supply", "oil supply", &roller_chain::Outputs::supply_W},
    {"link", "links", &roller_chain::Outputs::link_W},
    {"joint", "joints", &roller_chain::Outputs::joint_W},
    {"contact", "contacts", &roller_chain::Outputs::contact_W},
    {"friction", "friction", &roller_chain::Outputs::friction_W},
    {"bearing", "bearings", &roller_chain::Outputs::bearing_W},
    {"tightener", "tightener", &roller_chain::Outputs::tightener_W},
    {"load", "loads", &roller_chain::Outputs::load_W},
}};

struct RunStatistics {
  std::vector<StrandStatistics> strands;
  ForceStatistics tagged_link;
  double tagged_roller_mean_N;  // of its force on a tooth, also while it touches none
  double tagged_roller_max_N;
  double link_max_N;  // of any link
  double contact_max_N;
  TightenerStatistics tightener;
  std::vector<BearingStatistics> bearings;
  std::array<double, kPowerColumns.size()> power_W;  // means
  double crank_mean_rad_s;
};

// Mean, spread and largest of what is added (Welford, Technometrics 4, 1962).
class Moments {
 public:
  void add(double value);
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const;
  [[nodiscard]] double max() const { return max_; }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of distances from the mean
  double max_ = 0;
};

// Keeps every value: a percentile needs them all.
class ForceSamples {
 public:
  void reserve(std::size_t samples) { samples_N_.reserve(samples); }
  void add(float force_N);
  [[nodiscard]] ForceStatistics statistics() const;

 private:
  Moments moments_;
  std::vector<float> samples_N_;
};

// Means over a few steps each, for spectra: a plain choice of samples would fold the links'
// own vibration, at some kHz, onto low frequencies.
class SlowSamples {
 public:
  explicit SlowSamples(int steps_a_sample) : steps_a_sample_(steps_a_sample) {}
  void add(double value);
  [[nodiscard]] std::vector<double> peaks_Hz(double step_s) const;

 private:
  int steps_a_sample_;
  int steps_ = 0;
  double sum_ = 0;
  std::vector<double> samples_;
};

// Of one part of the window: what models are compared by.
struct WindowStatistics {
  std::vector<ForceStatistics> strands;  // tension at the middle
  double driver_W;                       // mean
};

class WindowCollector {
 public:
  explicit WindowCollector(std::size_t strands) : strands_N_(strands) {}
  void add(const roller_chain::Outputs& outputs);
  [[nodiscard]] WindowStatistics statistics() const;

 private:
  std::vector<ForceSamples> strands_N_;
  Moments driver_W_;
};

class StatisticsCollector {
 public:
  StatisticsCollector(std::size_t strands, double step_s, std::uint64_t steps);
  // After every step of the window.
  void add(const roller_chain::Outputs& outputs, double link_max_N, double crank_rad_s);
  [[nodiscard]] RunStatistics statistics() const;

 private:
  struct Strand {
    ForceSamples middle_N;
    SlowSamples slow_middle_N;
    Moments mean_N;
    Moments middle_m;
    SlowSamples slow_middle_m;
  };
  struct Bearing {
    Moments x_N;
    Moments y_N;
    Moments size_N;
    Moments offset_m;
  };
  [[nodiscard]] StrandStatistics statistics_of(const Strand& strand) const;

  double step_s_;
  std::vector<Strand> strands_;
  std::vector<Bearing> bearings_;
  ForceSamples tagged_link_N_;
  Moments tagged_roller_N_;
  Moments link_max_N_;
  Moments contact_max_N_;
  Moments tightener_x_m_;
  Moments tightener_y_m_;
  Moments arm_angle_rad_;
  SlowSamples arm_mass_centre_y_m_;
  Moments tightener_N_;
  Moments piston_m_;
  Moments chamber_Pa_;
  Moments valve_m3_s_;
  std::array<Moments, kPowerColumns.size()> power_W_;
  Moments crank_rad_s_;
};

}  // namespace taut::tool
