#include "host_tools/taut/serial_line.h"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

#include "host_tools/taut/problem.h"

namespace taut::tool {
namespace {

[[noreturn]] void fail(const std::string& line, const std::string& why) {
  throw Failure(ExitCode::kWrongUse, line + ": " + why);
}

[[noreturn]] void fail(const std::string& line) {
  fail(line, std::strerror(errno));
}

template <typename Address>
int connect_to(const std::string& line, const Address& address) {
  const int descriptor =
      socket(reinterpret_cast<const sockaddr*>(&address)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    fail(line);
  }
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int why = errno;
    static_cast<void>(close(descriptor));
    fail(line, std::strerror(why));
  }
  return descriptor;
}

int open_unix(const std::string& line, const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    fail(line,
         "a path of 1 to " + std::to_string(sizeof address.sun_path - 1) + " characters is wanted");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return connect_to(line, address);
}

int open_tcp(const std::string& line, const std::string& place) {
  const std::size_t colon = place.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  std::uint16_t port = 0;
  const char* end = place.data() + place.size();
  if (colon == std::string::npos ||
      std::from_chars(place.data() + colon + 1, end, port) != std::from_chars_result{end, {}} ||
      inet_pton(AF_INET, place.substr(0, colon).c_str(), &address.sin_addr) != 1) {
    fail(line, "tcp:ADDRESS:PORT is wanted, the address as four numbers");
  }
  address.sin_port = htons(port);
  return connect_to(line, address);
}

speed_t speed_of(const std::string& line, std::uint32_t baud) {
  const std::pair<std::uint32_t, speed_t> speeds[] = {
      {9600, B9600},      {19'200, B19200},   {38'400, B38400},   {57'600, B57600},
      {115'200, B115200}, {230'400, B230400}, {460'800, B460800}, {921'600, B921600}};
  for (const auto& [rate, speed] : speeds) {
    if (rate == baud) {
      return speed;
    }
  }
  fail(line, std::to_string(baud) +
                 " baud; 9600, 19200, 38400, 57600, 115200, 230400, 460800 or 921600 is wanted");
}

int open_device(const std::string& line, std::uint32_t baud) {
  const int descriptor = open(line.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    fail(line);
  }
  termios settings{};
  if (tcgetattr(descriptor, &settings) == 0) {  // else no terminal: a pipe, as it is
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL;
    const speed_t speed = speed_of(line, baud);
    if (cfsetispeed(&settings, speed) != 0 || cfsetospeed(&settings, speed) != 0 ||
        tcsetattr(descriptor, TCSANOW, &settings) != 0) {
      fail(line);
    }
  }
  return descriptor;
}

}  // namespace

SerialLine::SerialLine(const std::string& line, std::uint32_t baud) {
  if (line.rfind("unix:", 0) == 0) {
    descriptor_ = open_unix(line, line.substr(5));
  } else if (line.rfind("tcp:", 0) == 0) {
    descriptor_ = open_tcp(line, line.substr(4));
  } else {
    descriptor_ = open_device(line, baud);
  }
}

SerialLine::~SerialLine() {
  static_cast<void>(close(descriptor_));
}

}  // namespace taut::tool
