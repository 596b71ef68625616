// A serial line as a file descriptor: a character device, or a socket that stands for one.
#pragma once

#include <cstdint>
#include <string>

namespace taut::tool {

class SerialLine {
 public:
  // A path, unix:PATH or tcp:ADDRESS:PORT. Throws a Failure (kWrongUse).
  SerialLine(const std::string& line, std::uint32_t baud);
  ~SerialLine();
  SerialLine(const SerialLine&) = delete;
  SerialLine& operator=(const SerialLine&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace taut::tool
