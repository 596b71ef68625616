// Outputs of a roller chain as CSV, columns from their own table; one row a call.
#pragma once

#include <cstddef>
#include <string>

#include "host_tools/taut/output_file.h"
#include "sim_core/roller_chain/outputs.h"

namespace taut::tool {

class OutputsCsv {
 public:
  OutputsCsv(const std::string& path, std::size_t sprockets);
  void add(const roller_chain::Outputs& outputs);
  void commit() { file_.commit(); }  // there is no file before
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  std::string path_;
  OutputFile file_;
  std::size_t sprockets_;
  std::size_t rows_ = 0;
  std::string row_;
};

}  // namespace taut::tool
