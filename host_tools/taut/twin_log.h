// A twin's run on disk: enough to run it again and get the same bits, and to read every quantity
// without the program that wrote it.
//
// Eight bytes "TAUTLOG1", then blocks: kind, payload's size, payload, CRC-32 of all three; all
// little endian. The first block is the head, as JSON text: the drive, the model's hash and the
// columns with name, unit and type. The next two are the twin's model and its state at the start,
// as they lie in memory. Blocks of ticks hold rows one after the other, each the inputs and the
// measurements in the order of the head's columns, without gaps. A block of calibration holds from
// the next row on; one comes before the first. A file that ends within a block is good up to there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"

namespace taut::tool {

using Bytes = std::vector<std::byte>;

struct LogHead {
  std::string drive;
  std::string chain;  // "reduced" or "roller"
  std::uint64_t model_hash = 0;
  std::size_t sprockets = 0;
};

struct LogRow {
  signal::SensorFrame frame{};
  signal::Prediction prediction{};
};

struct LogCalibration {
  std::size_t row = 0;  // of the first tick that it holds for
  twin::Calibration values{};
};

struct TwinLog {
  LogHead head;
  Bytes model;
  Bytes state;
  std::vector<LogRow> rows;
  std::vector<LogCalibration> calibrations;  // the first before the first row
  bool is_whole = true;                      // else cut off within a block
};

// As it lies in memory.
template <typename Struct>
[[nodiscard]] Bytes bytes_of(const Struct& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  return {begin, begin + sizeof value};
}

// FNV-1a of bytes as they lie in memory: what tells one model from another.
[[nodiscard]] std::uint64_t hash_of(const Bytes& bytes);

class LogWriter {
 public:
  // Each throws a Failure (kWrongUse) if it cannot be written. The head's hash is that of the
  // model.
  LogWriter(const std::string& path, const LogHead& head, const Bytes& model, const Bytes& state);
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  ~LogWriter();
  void calibrate(const twin::Calibration& values);  // before the next row
  void add(const signal::SensorFrame& frame, const signal::Prediction& prediction);
  void close();  // all that was added is on disk

 private:
  void write_block(std::uint32_t kind, const Bytes& payload);
  void write_rows();

  std::string path_;
  std::ofstream file_;
  std::size_t sprockets_;
  Bytes rows_;
  std::size_t rows_waiting_ = 0;
};

// Throws a Failure (kWrongUse) that says where and why if it is no log or a block is damaged.
[[nodiscard]] TwinLog read_log(const std::string& path);

}  // namespace taut::tool
