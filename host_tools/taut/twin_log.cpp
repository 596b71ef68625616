#include "host_tools/taut/twin_log.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include <etl/crc32.h>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "sim_core/math/hash.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

using signal::Entry;
using twin::Part;

constexpr std::string_view kMagic = "TAUTLOG1";
constexpr std::uint32_t kHead = 1, kModel = 2, kState = 3, kRows = 4, kCalibration = 5;
// Half a second of ticks: what a crash may cost.
constexpr std::size_t kRowsABlock = 1000;
constexpr std::uint32_t kMostPayload = 1U << 26;

template <typename Value>
void append(Bytes& bytes, const Value& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

std::uint32_t crc_of(std::uint32_t kind, const Bytes& payload) {
  Bytes bytes;
  append(bytes, kind);
  append(bytes, static_cast<std::uint32_t>(payload.size()));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  etl::crc32_t<256> crc;
  crc.add(begin, begin + bytes.size());
  return crc.value();
}

std::size_t packed_size(Part part, std::size_t sprockets) {
  std::size_t size = 0;
  for (const Entry& entry : twin::entries(part)) {
    size += signal::size_of(entry.type) * signal::times(entry.repeat, sprockets);
  }
  return size;
}

void pack(Part part, std::size_t sprockets, const void* members, Bytes& bytes) {
  for (const Entry& entry : twin::entries(part)) {
    const auto* begin = static_cast<const std::byte*>(members) + entry.offset;
    const std::size_t size = signal::size_of(entry.type) * signal::times(entry.repeat, sprockets);
    bytes.insert(bytes.end(), begin, begin + size);
  }
}

const std::byte* unpack(Part part, std::size_t sprockets, const std::byte* bytes, void* members) {
  for (const Entry& entry : twin::entries(part)) {
    const std::size_t size = signal::size_of(entry.type) * signal::times(entry.repeat, sprockets);
    std::memcpy(static_cast<std::byte*>(members) + entry.offset, bytes, size);
    bytes += size;
  }
  return bytes;
}

const char* name_of(signal::Type type) {
  return type == signal::Type::kFloat32   ? "float32"
         : type == signal::Type::kFloat64 ? "float64"
                                          : "uint32";
}

nlohmann::ordered_json columns_of(Part part, std::size_t sprockets) {
  auto columns = nlohmann::ordered_json::array();
  for (const Entry& entry : twin::entries(part)) {
    columns.push_back({{"name", entry.name},
                       {"unit", entry.unit},
                       {"help", entry.help},
                       {"type", name_of(entry.type)},
                       {"count", signal::times(entry.repeat, sprockets)}});
  }
  return columns;
}

nlohmann::ordered_json to_json(const LogHead& head) {
  return {{"drive", head.drive},
          {"chain", head.chain},
          {"model_hash", hexadecimal(head.model_hash, 16)},
          {"sprockets", head.sprockets},
          {"tick_s", signal::kTick_s},
          {"inputs", columns_of(Part::kInput, head.sprockets)},
          {"measurements", columns_of(Part::kMeasurement, head.sprockets)},
          {"calibrations", columns_of(Part::kCalibration, head.sprockets)}};
}

Bytes to_bytes(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

// Reads blocks, and says where it stands when something is wrong.
class BlockReader {
 public:
  explicit BlockReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    std::string magic(kMagic.size(), '\0');
    if (!file_) {
      fail("cannot be read; write one with taut twin --log");
    }
    if (!read(magic.data(), magic.size()) || magic != kMagic) {
      fail("no log of a twin: it does not begin with " + std::string(kMagic));
    }
  }

  // False at the end, and where the file is cut off.
  bool next() {
    begin_ = at_;
    std::uint32_t size = 0;
    std::uint32_t crc = 0;
    at_end_ = file_.peek() == std::ifstream::traits_type::eof();
    if (at_end_ || !read(&kind, sizeof kind) || !read(&size, sizeof size)) {
      return false;
    }
    if (size > kMostPayload) {
      fail_damaged("a block of " + std::to_string(size) + " bytes, at most " +
                   std::to_string(kMostPayload) + " are possible");
    }
    payload.resize(size);
    if (!read(payload.data(), size) || !read(&crc, sizeof crc)) {
      return false;
    }
    if (crc != crc_of(kind, payload)) {
      fail_damaged("checksum " + hexadecimal(crc, 8) + " does not fit");
    }
    return true;
  }

  void expect(std::uint32_t wanted, const char* name) {
    if (!next() || kind != wanted) {
      fail(std::string("the ") + name +
           " is missing: cut off before the first tick; take another copy");
    }
  }

  [[nodiscard]] bool is_whole() const { return at_end_; }
  [[noreturn]] void fail_damaged(const std::string& why) const {
    fail(why + ": damaged; take another copy, or what comes before it: truncate -s " +
         std::to_string(begin_) + " " + path_);
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Failure(ExitCode::kWrongUse, path_ + ": at byte " + std::to_string(begin_) + ": " + why);
  }

  std::uint32_t kind = 0;
  Bytes payload;

 private:
  bool read(void* to, std::size_t size) {
    file_.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
    at_ += static_cast<std::size_t>(file_.gcount());
    return static_cast<std::size_t>(file_.gcount()) == size;
  }

  std::string path_;
  std::ifstream file_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  bool at_end_ = false;
};

LogHead read_head(BlockReader& reader) {
  reader.expect(kHead, "head");
  const std::string text(reinterpret_cast<const char*>(reader.payload.data()),
                         reader.payload.size());
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  LogHead head;
  if (!json.is_object() || !json.contains("sprockets") || !json["sprockets"].is_number_unsigned()) {
    reader.fail("the head is no JSON with a number of sprockets; take another copy");
  }
  head.sprockets = json["sprockets"].get<std::size_t>();
  head.drive = json.value("drive", "");
  head.chain = json.value("chain", "");
  const std::string hash = json.value("model_hash", "");
  std::from_chars(hash.data(), hash.data() + hash.size(), head.model_hash, 16);
  if (head.sprockets > signal::kMaxStrands || json != to_json(head)) {
    reader.fail("its columns are not those of this program: read it with the one that wrote it");
  }
  return head;
}

void take_rows(BlockReader& reader, TwinLog& log) {
  const std::size_t sprockets = log.head.sprockets;
  const std::size_t size =
      packed_size(Part::kInput, sprockets) + packed_size(Part::kMeasurement, sprockets);
  if (reader.payload.size() % size != 0) {
    reader.fail("rows of " + std::to_string(size) + " bytes do not fit into " +
                std::to_string(reader.payload.size()));
  }
  const std::byte* bytes = reader.payload.data();
  for (std::size_t i = 0; i < reader.payload.size() / size; ++i) {
    LogRow& row = log.rows.emplace_back();
    bytes = unpack(Part::kInput, sprockets, bytes, &row.frame);
    bytes = unpack(Part::kMeasurement, sprockets, bytes, &row.prediction);
  }
}

void take_calibration(BlockReader& reader, TwinLog& log) {
  if (reader.payload.size() != packed_size(Part::kCalibration, log.head.sprockets)) {
    reader.fail("a calibration of " + std::to_string(reader.payload.size()) + " bytes");
  }
  LogCalibration& calibration = log.calibrations.emplace_back();
  calibration.row = log.rows.size();
  unpack(Part::kCalibration, log.head.sprockets, reader.payload.data(), &calibration.values);
}

}  // namespace

std::uint64_t hash_of(const Bytes& bytes) {
  math::Hash64 hash;
  for (const std::byte byte : bytes) {
    hash.add(static_cast<std::uint32_t>(byte));
  }
  return hash.value();
}

LogWriter::LogWriter(const std::string& path, const LogHead& head, const Bytes& model,
                     const Bytes& state)
    : path_(path), file_(path, std::ios::binary | std::ios::trunc), sprockets_(head.sprockets) {
  file_.write(kMagic.data(), static_cast<std::streamsize>(kMagic.size()));
  write_block(kHead, to_bytes(to_json(head).dump()));
  write_block(kModel, model);
  write_block(kState, state);
}

LogWriter::~LogWriter() {
  try {
    close();
  } catch (const Failure&) {  // told by close() to whoever asks
  }
}

void LogWriter::calibrate(const twin::Calibration& values) {
  write_rows();
  Bytes bytes;
  pack(Part::kCalibration, sprockets_, &values, bytes);
  write_block(kCalibration, bytes);
}

void LogWriter::add(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
  pack(Part::kInput, sprockets_, &frame, rows_);
  pack(Part::kMeasurement, sprockets_, &prediction, rows_);
  if (++rows_waiting_ == kRowsABlock) {
    write_rows();
  }
}

void LogWriter::close() {
  write_rows();
}

void LogWriter::write_rows() {
  if (rows_waiting_ > 0) {
    write_block(kRows, rows_);
    rows_.clear();
    rows_waiting_ = 0;
  }
}

void LogWriter::write_block(std::uint32_t kind, const Bytes& payload) {
  Bytes bytes;
  append(bytes, kind);
  append(bytes, static_cast<std::uint32_t>(payload.size()));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  append(bytes, crc_of(kind, payload));
  file_.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  file_.flush();
  if (!file_) {
    throw Failure(ExitCode::kWrongUse, path_ + ": cannot be written: " + std::strerror(errno));
  }
}

TwinLog read_log(const std::string& path) {
  BlockReader reader(path);
  TwinLog log;
  log.head = read_head(reader);
  reader.expect(kModel, "model");
  log.model = reader.payload;
  if (hash_of(log.model) != log.head.model_hash) {
    reader.fail("the model's hash is " + hexadecimal(hash_of(log.model), 16) +
                ", not that of the head, " + hexadecimal(log.head.model_hash, 16) +
                "; take another copy");
  }
  reader.expect(kState, "state at the start");
  log.state = reader.payload;
  while (reader.next()) {
    switch (reader.kind) {
      case kRows:
        take_rows(reader, log);
        break;
      case kCalibration:
        take_calibration(reader, log);
        break;
      default:
        reader.fail("a block of unknown kind " + std::to_string(reader.kind));
    }
  }
  log.is_whole = reader.is_whole();
  return log;
}

}  // namespace taut::tool
