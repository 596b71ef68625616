#include "host_tools/taut/table_csv.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace taut::tool {
namespace {

using signal::Entry;

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

std::string header(const std::vector<Columns>& columns, std::size_t sprockets) {
  std::string text;
  for (const auto& [entries, prefix] : columns) {
    for (const Entry& entry : entries) {
      for (std::size_t i = 1; i <= signal::times(entry.repeat, sprockets); ++i) {
        text += (text.empty() ? "" : ",") + prefix + entry.name;
        if (entry.repeat != signal::Repeat::kOnce) {
          text += "[" + std::to_string(i) + "]";
        }
      }
    }
  }
  return text + "\n";
}

}  // namespace

TableCsv::TableCsv(const std::string& path, std::vector<Columns> columns, std::size_t sprockets)
    : path_(path), file_(path), columns_(std::move(columns)), sprockets_(sprockets) {
  file_.write(header(columns_, sprockets));
}

void TableCsv::add(std::initializer_list<const void*> structs) {
  row_.clear();
  auto columns = columns_.begin();
  for (const void* members : structs) {
    for (const Entry& entry : columns->entries) {
      const auto* place = static_cast<const std::byte*>(members) + entry.offset;
      for (std::size_t i = 0; i < signal::times(entry.repeat, sprockets_); ++i) {
        row_ += row_.empty() ? "" : ",";
        append(row_, entry.type, place + i * signal::size_of(entry.type));
      }
    }
    ++columns;
  }
  row_ += '\n';
  file_.write(row_);
  ++rows_;
}

}  // namespace taut::tool
