#include "host_tools/taut/outputs_csv.h"

#include <array>
#include <charconv>
#include <cstring>

namespace taut::tool {
namespace {

using signal::Entry;

std::size_t count_of(const Entry& entry, std::size_t sprockets) {
  return entry.repeat == signal::Repeat::kPerSprocket ? sprockets : 1;
}

template <typename Value>
Value value_at(const std::byte* place) {
  Value value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

// As %.9g does, whatever the locale.
template <typename Real>
void append(std::string& row, Real value, int digits) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits);
  row.append(text.data(), end.ptr);
}

void append(std::string& row, signal::Type type, const std::byte* place) {
  switch (type) {
    case signal::Type::kFloat64:
      append(row, value_at<double>(place), 9);
      break;
    case signal::Type::kFloat32:
      append(row, value_at<float>(place), 7);
      break;
    case signal::Type::kUint32:
      row += std::to_string(value_at<std::uint32_t>(place));
      break;
  }
}

std::string header(std::size_t sprockets) {
  std::string text;
  for (const Entry& entry : roller_chain::output_entries()) {
    for (std::size_t i = 1; i <= count_of(entry, sprockets); ++i) {
      text += (text.empty() ? "" : ",") + std::string(entry.name);
      if (entry.repeat == signal::Repeat::kPerSprocket) {
        text += "[" + std::to_string(i) + "]";
      }
    }
  }
  return text + "\n";
}

}  // namespace

OutputsCsv::OutputsCsv(const std::string& path, std::size_t sprockets)
    : path_(path), file_(path), sprockets_(sprockets) {
  file_.write(header(sprockets));
}

void OutputsCsv::add(const roller_chain::Outputs& outputs) {
  row_.clear();
  const auto* bytes = reinterpret_cast<const std::byte*>(&outputs);
  for (const Entry& entry : roller_chain::output_entries()) {
    for (std::size_t i = 0; i < count_of(entry, sprockets_); ++i) {
      row_ += row_.empty() ? "" : ",";
      append(row_, entry.type, bytes + entry.offset + i * signal::size_of(entry.type));
    }
  }
  row_ += '\n';
  file_.write(row_);
  ++rows_;
}

}  // namespace taut::tool
