// A bench, a twin and a page, at the pace of the clock: thirty frames a second, commands between
// two ticks. One thread runs it; commands come from others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host_tools/live/bench.h"
#include "host_tools/live/frame.h"
#include "host_tools/live/hub.h"
#include "host_tools/live/running_spectrum.h"
#include "host_tools/live/server.h"
#include "host_tools/live/signals.h"
#include "host_tools/live/target.h"

namespace taut::live {

struct SessionSpec {
  TargetSpec target;
  double duration_s = 0;  // of the engine's time; 0: until it is stopped
};

class Session {
 public:
  Session(const SessionSpec& spec, Hub& hub);

  // From any thread. The answer comes when it was done, or not.
  [[nodiscard]] Answer command(const std::string& json);
  [[nodiscard]] std::string describe() const { return description_; }
  [[nodiscard]] std::string backdrop() const { return backdrop_; }

  // Until its time is over or `stop`. Throws a Failure where the first twin cannot be made.
  void run(const std::atomic<bool>& stop);

  [[nodiscard]] bool has_run() const { return wall_s_ > 0; }  // else there was no twin yet
  [[nodiscard]] const Target& target() const { return *target_; }
  [[nodiscard]] tool::TwinReport finish();  // of the last twin
  [[nodiscard]] double time_s() const;
  [[nodiscard]] double wall_s() const { return wall_s_; }
  [[nodiscard]] double encoding_s() const { return encoding_s_; }  // processor time
  [[nodiscard]] double lag_s() const { return lag_s_; }            // given up, all in all

 private:
  struct Waiting {
    std::string json;
    std::promise<Answer> answer;
  };
  using Clock = std::chrono::steady_clock;

  void describe_drive();
  void prepare(const std::string& model);
  void take_prepared();
  void obey();
  [[nodiscard]] std::string obey(const Json& wanted);
  void tell_state();
  void note(const std::string& kind, const std::string& text);
  void note_health();
  void tick();
  void publish();
  [[nodiscard]] Frame make_frame();
  void add_spectra(Frame& frame);
  void wait_for(Clock::time_point until);

  SessionSpec spec_;
  Hub& hub_;
  Bench bench_;
  Picture picture_;
  RowMaker rows_;
  std::vector<std::vector<float>> new_rows_;
  RunningSpectrum measured_;
  RunningSpectrum predicted_;
  std::deque<float> crank_rad_s_;
  std::unique_ptr<Target> target_;
  Clock::time_point target_begin_;
  std::future<std::unique_ptr<Target>> prepared_;
  std::string preparing_;  // model; empty: none
  std::string description_;
  std::string backdrop_;
  double force_quantum_N_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Waiting> waiting_;

  ChainLook look_;
  std::uint64_t ticks_ = 0;
  std::uint64_t frames_ = 0;
  double travel_pitches_ = 0;
  std::uint32_t noted_health_ = 0;
  std::uint64_t noted_tick_ = 0;
  bool has_noted_gauge_ = false;
  std::size_t targets_ = 0;
  double pace_ = 1;
  double lag_s_ = 0;
  double wall_s_ = 0;
  double target_wall_s_ = 0;
  double encoding_s_ = 0;
};

}  // namespace taut::live
