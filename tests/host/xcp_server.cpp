// A slave for a master's tests: the twin's table over predictions that anyone can foretell, a tick
// every 0.5 ms, XCP on UDP on a port of this machine. Ends when its input does, and tells what it
// counted.
//   xcp_server SECRET_IN_HEX [DESCRIPTOR]
// With a descriptor that it inherits it speaks over that, as over a serial line (SxI), instead.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include <etl/queue_spsc_atomic.h>

#include "board.h"
#include "boards/linux_pc/kernel_entropy.h"
#include "boards/linux_pc/xcp_udp.h"
#include "hal/xcp/seed_key.h"
#include "hal/xcp/slave.h"
#include "hal/xcp/sxi_frame.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"
#include "sim_core/twin/table.h"

namespace {

using namespace taut;
namespace xcp = hal::xcp;

struct Server {
  signal::SensorFrame frame{};
  signal::Prediction prediction{};
  twin::Calibration calibration{1, 0, 2, 0.01F};
  xcp::SlaveModel model{"taut",
                        {twin::entries(twin::Part::kInput), twin::entries(twin::Part::kMeasurement),
                         twin::entries(twin::Part::kCalibration)},
                        true};
  xcp::Images images{{reinterpret_cast<std::uint8_t*>(&frame), sizeof frame},
                     {reinterpret_cast<const std::uint8_t*>(&prediction), sizeof prediction},
                     {reinterpret_cast<std::uint8_t*>(&calibration), sizeof calibration}};
  xcp::SlaveState state{};
  xcp::PacketQueueOf<8> in;
  xcp::PacketQueueOf<64> out;
  etl::queue_spsc_atomic<xcp::WriteRecord, 32> log;
  etl::queue_spsc_atomic<xcp::Challenge, 1> challenges;
  xcp::SlaveQueues queues{in, out, log, challenges};
  board::XcpUdp udp;
  board::KernelEntropy entropy;
  xcp::Secret secret{};
  std::uint32_t tick = 0;
  std::size_t most_in_a_tick = 0;
  int line = -1;
  xcp::SxiDecoder decoder{};
  std::uint16_t counter = 0;
};

void receive_from_line(Server& server) {
  std::uint8_t bytes[256];
  const ssize_t size = read(server.line, bytes, sizeof bytes);
  xcp::Packet packet;
  for (std::size_t at = 0; size > 0;) {
    at +=
        xcp::decode_sxi(server.decoder, {bytes + at, static_cast<std::size_t>(size) - at}, packet);
    if (packet.size == 0 || !server.in.push(packet)) {
      return;
    }
  }
}

void send_to_line(Server& server) {
  xcp::Packet packet;
  xcp::SxiFrame frame;
  while (server.out.pop(packet)) {
    const std::size_t size = xcp::encode_sxi(xcp::content(packet), server.counter, frame);
    ++server.counter;
    static_cast<void>(fcntl(server.line, F_SETFL, 0));  // waits: the line is as fast as its reader
    static_cast<void>(write(server.line, frame.data(), size) == static_cast<ssize_t>(size));
    static_cast<void>(fcntl(server.line, F_SETFL, O_NONBLOCK));
  }
}

bool read_secret(const char* text, xcp::Secret& secret) {
  if (std::strlen(text) != 2 * secret.size()) {
    return false;
  }
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    char* end = nullptr;
    secret[i] = static_cast<std::uint8_t>(std::strtoul(digits, &end, 16));
    if (end != digits + 2) {
      return false;
    }
  }
  return true;
}

// Every number a multiple of the tick's, exact in a float for hours.
void predict(Server& server) {
  const auto t = static_cast<float>(server.tick % 100'000);
  server.prediction.tick = server.tick;
  server.prediction.health = server.tick % 4;
  server.prediction.crank_speed_rad_s = t;
  server.prediction.tagged_link_N = 2 * t;
  server.prediction.arm_angle_rad = 3 * t;
  server.prediction.tightener_position_m = 4 * t + server.frame.tightener_position_m.value;
  for (std::size_t i = 0; i < server.prediction.strand_mean_N.size(); ++i) {
    server.prediction.strand_mean_N[i] = t * static_cast<float>(i + 5);
  }
}

void run_tick(Server& server) {
  static_cast<void>(xcp::take_stimulus(server.state, server.images));
  xcp::commit_calibration(server.state, server.images);
  ++server.tick;
  predict(server);
  xcp::sample_daq(server.state, server.images, server.tick, server.queues);
  server.line >= 0 ? receive_from_line(server) : server.udp.receive(server.in);
  const std::size_t taken = xcp::serve(server.model, server.state, server.images, server.queues);
  server.most_in_a_tick = taken > server.most_in_a_tick ? taken : server.most_in_a_tick;
  server.line >= 0 ? send_to_line(server) : server.udp.send(server.out);
}

void run_slow_loop(Server& server) {
  xcp::top_up(server.challenges, server.secret, server.entropy);
  xcp::WriteRecord record{};
  while (server.log.pop(record)) {
    std::printf("write tick %u address %u before %llx after %llx\n", record.tick, record.address,
                static_cast<unsigned long long>(record.before),
                static_cast<unsigned long long>(record.after));
  }
  if (xcp::is_store_requested(server.state)) {
    xcp::end_storing(server.state, true);
  }
}

void report(const Server& server) {
  const board::XcpUdpCounters& udp = server.udp.counters();
  const xcp::SlaveCounters& slave = server.state.counters;
  std::printf(
      "ticks %u handled %u refused %u ignored %u dto_dropped %u writes %u stim_refused %u\n",
      server.tick, slave.handled, slave.refused, slave.ignored, slave.dto_dropped, slave.writes,
      slave.stim_refused);
  std::printf(
      "received %u dropped %u strangers %u malformed %u lost_in_kernel %u sent %u "
      "not_sent %u most_in_a_tick %zu\n",
      udp.received, udp.dropped, udp.strangers, udp.malformed, udp.lost_in_kernel, udp.sent,
      udp.not_sent, server.most_in_a_tick);
}

}  // namespace

int main(int argc, char** argv) {
  static Server server;
  if (argc < 2 || argc > 3 || !read_secret(argv[1], server.secret)) {
    std::fprintf(stderr, "xcp_server: give a secret of 64 hexadecimal digits\n");
    return 2;
  }
  if (argc == 3) {
    server.line = static_cast<int>(std::strtol(argv[2], nullptr, 10));
    static_cast<void>(fcntl(server.line, F_SETFL, O_NONBLOCK));
  }
  const int problem = server.udp.open(board::kXcpAddress, 0);
  if (problem != 0) {
    std::fprintf(stderr, "xcp_server: %s\n", std::strerror(problem));
    return 1;
  }
  xcp::init(server.model, server.images, server.state);
  char text[16] = {};
  static_cast<void>(std::snprintf(text, sizeof text, "port %u\n", unsigned{server.udp.port()}));
  board::console().write(text);
  static_cast<void>(std::fflush(stdout));
  static_cast<void>(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK));
  timespec due{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &due));
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) != 0) {
    run_slow_loop(server);
    run_tick(server);
    due.tv_nsec += 500'000;
    due.tv_sec += due.tv_nsec / 1'000'000'000;
    due.tv_nsec %= 1'000'000'000;
    static_cast<void>(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr));
  }
  report(server);
  return 0;
}
