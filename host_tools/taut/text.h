// Numbers and lists as text, and tables in columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut::tool {

[[nodiscard]] std::string general(double value);  // as short as it can be: 0.0889, 1e+09
[[nodiscard]] std::string rough(double value);    // two figures: 1.8e-05
[[nodiscard]] std::string fixed(double value, int decimals);  // 0.0889 with 2: 0.09; never -0.00
[[nodiscard]] std::string hexadecimal(std::uint64_t value, int digits);  // zeros in front
[[nodiscard]] std::string joined(const std::vector<std::string>& words, const char* between = ", ");

// As a cell of CSV: in quotes, those inside doubled.
[[nodiscard]] std::string csv_cell(std::string_view text);

// The finite number that the text is, whole and whatever the locale.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// Columns as wide as they need, numbers on the right; left(column) makes one of words.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void left(std::size_t column) { left_.push_back(column); }
  [[nodiscard]] std::string text(const std::string& indent = "  ") const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_;  // columns of words
};

}  // namespace taut::tool
