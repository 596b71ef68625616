// Raw readings of the rig and the truth beside them as CSV, a row a tick.
#pragma once

#include <cstddef>
#include <string>

#include "host_tools/rig/rig.h"
#include "host_tools/taut/output_file.h"

namespace taut::tool {

class RigCsv {
 public:
  RigCsv(const std::string& path, std::size_t strands);
  void add(const rig::Rig::Tick& tick);
  void commit() { file_.commit(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  std::string path_;
  OutputFile file_;
  std::size_t strands_;
  std::size_t rows_ = 0;
  std::string row_;
};

}  // namespace taut::tool
