// Writes a file whole or not at all: to a name beside it first, then renamed.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace taut::tool {

// A file that grows while a command runs. Until commit() it has another name, which is
// removed when the command fails or is interrupted; what was there before stays.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Each throws a Failure (kWrongUse) if it cannot be written.
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  std::string draft_;
  std::ofstream stream_;
};

// Throws a Failure (kWrongUse) if it cannot be written; leaves what was there before.
void write_file(const std::string& path, const std::string& contents);

}  // namespace taut::tool
