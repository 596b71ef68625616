// How often a time was how long, in microseconds: fixed in size, so that a tick may add to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>

namespace taut::board {

class Histogram {
 public:
  static constexpr std::size_t kBuckets = 1000;  // of 1 us; longer times in the last

  void add_ns(std::uint64_t time_ns) {
    const std::uint64_t time_us = time_ns / 1000;
    ++buckets_[time_us < kBuckets ? static_cast<std::size_t>(time_us) : kBuckets - 1];
    ++count_;
    sum_ns_ += time_ns;
    least_ns_ = count_ == 1 || time_ns < least_ns_ ? time_ns : least_ns_;
    most_ns_ = time_ns > most_ns_ ? time_ns : most_ns_;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double least_us() const { return static_cast<double>(least_ns_) * 1e-3; }
  [[nodiscard]] double most_us() const { return static_cast<double>(most_ns_) * 1e-3; }
  [[nodiscard]] double mean_us() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_ns_) * 1e-3 / static_cast<double>(count_);
  }
  [[nodiscard]] const etl::array<std::uint64_t, kBuckets>& buckets() const { return buckets_; }

  // So many microseconds or less are this part of all times; rounded up.
  [[nodiscard]] std::size_t quantile_us(double part) const {
    const double wanted = part * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += buckets_[i];
      if (static_cast<double>(seen) >= wanted) {
        return i + 1;
      }
    }
    return kBuckets;
  }

 private:
  etl::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::uint64_t least_ns_ = 0;
  std::uint64_t most_ns_ = 0;
};

}  // namespace taut::board
