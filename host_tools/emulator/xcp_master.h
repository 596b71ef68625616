// As much of an XCP master as a closed loop needs, over a serial line's two ends: session,
// unlocking, lists of what is stimulated and measured at every tick. Throws a std::runtime_error
// that says what went wrong.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "hal/xcp/seed_key.h"
#include "hal/xcp/sxi_frame.h"
#include "sim_core/twin/calibration.h"

namespace taut::emulator {

using Packet = std::vector<std::uint8_t>;

// A row of the twin's table.
struct Signal {
  std::uint32_t address = 0;
  std::uint8_t size = 0;
};

// All of the row with this name.
[[nodiscard]] Signal input(const std::string& name);
[[nodiscard]] Signal calibration(const std::string& name);
[[nodiscard]] std::vector<Signal> all_measurements();

class XcpMaster {
 public:
  // Ends of the line; not closed by the master. An answer is waited for while the slave is there.
  XcpMaster(int from_slave, int to_slave, std::function<bool()> is_there)
      : from_(from_slave), to_(to_slave), is_there_(std::move(is_there)) {}

  void connect();
  void unlock(std::uint8_t resource, const hal::xcp::Secret& secret);
  // Calibrations; they must be unlocked to be written and to be kept over a loss of power.
  [[nodiscard]] std::uint32_t read_word(const Signal& signal);
  void write_word(const Signal& signal, std::uint32_t word);
  void keep_calibration();
  // Every tick: one packet of stimulation in, one of measurements out.
  void start_lists(const std::vector<Signal>& stimulated, const std::vector<Signal>& measured);

  // Takes effect at the next tick, all of it at once.
  void calibrate(const twin::Calibration& calibration);

  void stimulate(const Packet& data);
  // The next packet of measurements, without its header; waits for it.
  [[nodiscard]] Packet measured();

 private:
  Packet command(const Packet& packet);
  Packet command(std::initializer_list<int> packet);
  void send(const Packet& packet);
  void wait_for_bytes();
  [[nodiscard]] Packet receive();

  static constexpr std::uint8_t kStimOdt = 0;
  static constexpr std::uint8_t kDaqOdt = 1;

  int from_;
  int to_;
  std::function<bool()> is_there_;
  std::uint16_t counter_ = 0;
  hal::xcp::SxiDecoder decoder_{};
  std::vector<std::uint8_t> bytes_;
  std::size_t taken_ = 0;
  std::deque<Packet> data_;  // that came while a response was waited for
};

}  // namespace taut::emulator
