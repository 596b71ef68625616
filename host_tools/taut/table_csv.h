// Structs as rows of a CSV file, columns from their own tables.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <etl/span.h>

#include "host_tools/taut/output_file.h"
#include "sim_core/signal/entry.h"

namespace taut::tool {

// The columns of one struct; the prefix tells apart those of several.
struct Columns {
  etl::span<const signal::Entry> entries;
  std::string prefix;
};

class TableCsv {
 public:
  TableCsv(const std::string& path, std::vector<Columns> columns, std::size_t sprockets);
  void add(std::initializer_list<const void*> structs);  // in the order of the columns
  void commit() { file_.commit(); }                      // there is no file before
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  std::string path_;
  OutputFile file_;
  std::vector<Columns> columns_;
  std::size_t sprockets_;
  std::size_t rows_ = 0;
  std::string row_;
};

}  // namespace taut::tool
