// Counts the instructions of calls and prints what cost_table.py reads:
//   cost NAME CALLS COUNT            of calls in one loop, the loop included
//   each NAME CALLS COUNT SLOWEST    of calls counted one by one, the counter included each time
//   bytes NAME SIZE                  of what lies in memory
// On the PC counts are 0 and callgrind's output has them under NAME.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/string.h>
#include <etl/string_stream.h>
#include <etl/string_view.h>

#include "board.h"

namespace taut::bench {

using Name = etl::string<48>;

template <typename Body>
void measure(const Name& name, std::uint32_t calls, Body body) {
  board::InstructionCounter counter;
  counter.start({name.data(), name.size()});
  for (std::uint32_t i = 0; i < calls; ++i) {
    body(i);
  }
  const std::uint32_t count = counter.stop();
  etl::string<96> text;
  etl::string_stream out(text);
  out << "cost " << name << " " << calls << " " << count << "\n";
  board::console().write(text);
}

inline void print_bytes(const Name& name, std::size_t size) {
  etl::string<96> text;
  etl::string_stream out(text);
  out << "bytes " << name << " " << size << "\n";
  board::console().write(text);
}

class Tally {
 public:
  explicit Tally(const Name& name) : name_(name) {}

  template <typename Body>
  void count(Body body) {
    board::InstructionCounter counter;
    counter.start({name_.data(), name_.size()});
    body();
    const std::uint32_t count = counter.stop();
    ++calls_;
    sum_ += count;
    slowest_ = count > slowest_ ? count : slowest_;
  }

  void print() const {
    etl::string<96> text;
    etl::string_stream out(text);
    out << "each " << name_ << " " << calls_ << " " << sum_ << " " << slowest_ << "\n";
    board::console().write(text);
  }

 private:
  Name name_;
  std::uint32_t calls_ = 0;
  std::uint64_t sum_ = 0;
  std::uint32_t slowest_ = 0;
};

}  // namespace taut::bench
