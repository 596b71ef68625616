// A flood of XCP packets on loopback against the whole application of a PC: 50 datagrams a tick,
// which are 100 000 a second. First without a flood, then by a master that is connected, then by a
// stranger beside a master, then by a master with as many packets in a datagram as fit.
//
//   xcp_flood step TICKS [unbounded]   50 datagrams, a tick, and so on: no clock
//   xcp_flood clock SECONDS            in real time, the flood by a thread of its own
//   xcp_flood count                    as step, under callgrind: flood_cost.py judges it
//
// Fails where a tick handles more packets than hal::xcp::kPacketsPerTick, where handled, dropped
// and lost in the kernel are not all that was sent, and where predictions have other bits than
// without a flood. `unbounded`: ticks handle all that has come, to show that it fails.
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "board.h"
#include "boards/linux_pc/real_time.h"
#include "boards/linux_pc/xcp_listener.h"
#include "hal/xcp/slave.h"
#include "tests/unit/firmware/running_engine.h"
#include "tests/unit/twin/sensed_twin.h"

namespace {

using namespace taut;
using namespace taut::firmware_test;

constexpr std::size_t kDatagramsATick = 50;
constexpr std::uint64_t kTick_ns = 500'000;
constexpr std::uint32_t kCountedTicks = 100;

using Datagram = std::vector<std::uint8_t>;

Datagram framed(const Datagram& packet) {
  Datagram datagram = {static_cast<std::uint8_t>(packet.size()), 0, 0, 0};
  datagram.insert(datagram.end(), packet.begin(), packet.end());
  return datagram;
}

// What a master may ask without a key, and what it may not.
std::vector<Datagram> single_packets() {
  return {framed({0xFD}), framed({0xF4, 32, 0, 0, 0, 30, 0, 0}), framed({0xDC}),
          framed({0xED, 4, 0, 0, 0, 42, 0, 0, 0, 0, 0, 0}), framed({0x00, 1, 2, 3, 4})};
}

std::vector<Datagram> packed_datagrams() {
  Datagram datagram;
  while (datagram.size() + 5 <= 1500) {
    const Datagram one = framed({0xFD});
    datagram.insert(datagram.end(), one.begin(), one.end());
  }
  return {datagram};
}

std::uint64_t packets_in(const Datagram& datagram) {
  std::uint64_t packets = 0;
  for (std::size_t at = 0; at < datagram.size(); at += 4U + datagram[at]) {
    ++packets;
  }
  return packets;
}

// One end that sends to the slave.
class Sender {
 public:
  explicit Sender(std::uint16_t port) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      std::perror("xcp_flood: no socket");
      std::exit(2);
    }
  }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  ~Sender() { close(socket_); }

  // What the system itself refuses was not sent.
  void send(const Datagram& datagram) {
    if (::send(socket_, datagram.data(), datagram.size(), 0) >= 0) {
      ++datagrams_;
      packets_ += packets_in(datagram);
    }
  }
  void pour(const std::vector<Datagram>& datagrams) {
    for (std::size_t i = 0; i < kDatagramsATick; ++i) {
      send(datagrams[datagrams_ % datagrams.size()]);
    }
  }
  [[nodiscard]] std::uint64_t datagrams() const { return datagrams_; }
  [[nodiscard]] std::uint64_t packets() const { return packets_; }

 private:
  int socket_;
  std::uint64_t datagrams_ = 0;
  std::uint64_t packets_ = 0;
};

struct Listener {
  void before_tick(twin::Calibration& calibration) {
    for (std::uint32_t before = handled() - 1; is_unbounded && handled() != before;) {
      before = handled();
      udp.receive(port.in());
      static_cast<void>(port.serve());
    }
    xcp.before_tick(calibration);
  }
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
    xcp.after_tick(frame, prediction);
  }
  [[nodiscard]] std::uint32_t handled() { return port.state().counters.handled; }

  bool is_unbounded;
  firmware::XcpPort port{"taut", usual_spec().calibration, false};
  board::XcpUdp udp{};
  board::XcpListener xcp{port, udp};
};

using FloodedPorts =
    firmware::Ports<EngineSource, LastFrame, board::Clock, hal::fakes::FakeWatchdog, Listener>;

struct Flooded {
  explicit Flooded(bool is_unbounded) : listener{is_unbounded} {
    if (const int problem = listener.udp.open(board::kXcpAddress, 0); problem != 0) {
      std::fprintf(stderr, "xcp_flood: %s\n", std::strerror(problem));
      std::exit(2);
    }
    application.start(firmware::SelfTest::kPassed);
  }

  void tick() {
    source.turn();
    const std::uint32_t before = listener.handled();
    if (application.pass_border_from_interrupt()) {
      application.run_tick();
    }
    application.serve();
    const std::uint32_t handled = listener.handled() - before;
    most_in_a_tick = handled > most_in_a_tick ? handled : most_in_a_tick;
  }

  [[nodiscard]] std::uint64_t seen() const {
    const board::XcpUdpCounters& counters = listener.udp.counters();
    return std::uint64_t{counters.received} + counters.dropped + counters.strangers +
           counters.malformed;
  }

  // Ticks until all that waits in the kernel is read; one more datagram brings the number of those
  // that it lost.
  void drain(Sender& sender) {
    for (int i = 0; i < 2; ++i) {
      for (std::uint64_t before = seen() + 1; before != seen();) {
        before = seen();
        tick();
      }
      if (i == 0) {
        sender.send(framed({0xFD}));
      }
    }
  }

  EngineSource source;
  LastFrame sink;
  board::Clock clock;
  hal::fakes::FakeWatchdog watchdog;
  Listener listener;
  firmware::Application<Chain, FloodedPorts> application{
      usual_spec(), model, {source, sink, clock, watchdog, listener}};
  std::uint32_t most_in_a_tick = 0;
};

struct Flood {
  const char* name;
  std::vector<Datagram> datagrams;  // none: no flood
  bool is_by_master;
};

struct Way {
  std::uint64_t ticks = 0;
  bool is_unbounded = false;
  bool by_clock = false;
  bool is_counted = false;
};

struct Outcome {
  std::uint64_t bits = 0;
  bool is_good = false;
};

// Sends by the clock until it is told to end.
class FloodThread {
 public:
  FloodThread(Sender& sender, const std::vector<Datagram>& datagrams)
      : thread_([this, &sender, &datagrams] {
          for (std::uint64_t due_ns = board::now_ns(); !is_ending_.load(); due_ns += kTick_ns) {
            board::sleep_until_ns(due_ns);
            sender.pour(datagrams);
          }
        }) {}
  FloodThread(const FloodThread&) = delete;
  FloodThread& operator=(const FloodThread&) = delete;
  ~FloodThread() {
    is_ending_.store(true);
    thread_.join();
  }

 private:
  std::atomic<bool> is_ending_{false};
  std::thread thread_;
};

void run_ticks(const Flood& flood, const Way& way, Flooded& flooded, Sender& sender,
               math::Hash64& hash) {
  const bool is_flooded = !flood.datagrams.empty();
  std::unique_ptr<FloodThread> thread;
  if (way.by_clock && is_flooded) {
    thread = std::make_unique<FloodThread>(sender, flood.datagrams);
  }
  board::InstructionCounter counter;
  std::uint64_t due_ns = board::now_ns();
  for (std::uint64_t i = 0; i < way.ticks; ++i) {
    const bool is_counted = way.is_counted && i + kCountedTicks >= way.ticks;
    if (is_flooded && !way.by_clock) {
      sender.pour(flood.datagrams);
    }
    if (way.by_clock) {
      due_ns += kTick_ns;
      board::sleep_until_ns(due_ns);
    }
    if (is_counted) {
      counter.start(flood.name);
    }
    flooded.tick();
    if (is_counted) {
      static_cast<void>(counter.stop());
    }
    const signal::Prediction& prediction = flooded.application.prediction();
    hash.add(prediction.tick);
    twin_test::add_to(hash, prediction, model.sprockets);
  }
}

Outcome run(const Flood& flood, const Way& way) {
  const auto flooded = std::make_unique<Flooded>(way.is_unbounded);
  const std::uint16_t port = flooded->listener.udp.port();
  Sender master(port);
  Sender stranger(port);
  Sender& sender = flood.is_by_master ? master : stranger;
  master.send(framed({0xFF, 0}));
  math::Hash64 hash;
  const std::uint64_t begin_ns = board::now_ns();
  run_ticks(flood, way, *flooded, sender, hash);
  const double lasted_s = static_cast<double>(board::now_ns() - begin_ns) * 1e-9;
  const std::uint64_t datagrams = master.datagrams() + stranger.datagrams();
  flooded->drain(sender);
  const board::XcpUdpCounters& counters = flooded->listener.udp.counters();
  // A datagram that the kernel loses takes all of its packets with it; all but the first and the
  // last are alike where they hold several.
  const std::uint64_t packets = master.packets() + stranger.packets();
  const std::uint64_t each = flood.datagrams.empty() ? 1 : packets_in(flood.datagrams[0]);
  const std::uint64_t lost = counters.lost_in_kernel * each;
  const std::uint64_t accounted = flooded->seen() + lost;
  std::printf(
      "%s: %llu datagrams in %.1f s%s; packets sent %llu = handled %u + dropped %u + strangers' %u "
      "+ malformed %u + lost in the kernel %llu; most in a tick %u\n",
      flood.name, static_cast<unsigned long long>(datagrams), lasted_s,
      way.by_clock ? "" : " (no clock)", static_cast<unsigned long long>(packets),
      flooded->listener.handled(), counters.dropped, counters.strangers, counters.malformed,
      static_cast<unsigned long long>(lost), flooded->most_in_a_tick);
  bool is_good = true;
  const auto expect = [&is_good](bool holds, const char* otherwise) {
    if (!holds) {
      std::printf("FAILED: %s\n", otherwise);
      is_good = false;
    }
  };
  expect(accounted == packets && flooded->listener.handled() == counters.received,
         "packets are not accounted for");
  expect(flooded->most_in_a_tick <= hal::xcp::kPacketsPerTick,
         "more packets in a tick than the bound");
  return {hash.value(), is_good};
}

int run_all(const Way& way) {
  const std::vector<Flood> floods = {{"no_flood", {}, true},
                                     {"by_a_master", single_packets(), true},
                                     {"by_a_stranger", single_packets(), false},
                                     {"in_full_datagrams", packed_datagrams(), true}};
  bool is_good = true;
  std::uint64_t bits = 0;
  for (const Flood& flood : floods) {
    const Outcome outcome = run(flood, way);
    is_good = is_good && outcome.is_good;
    bits = flood.datagrams.empty() ? outcome.bits : bits;
    if (outcome.bits != bits) {
      std::printf("FAILED: predictions have other bits than without a flood\n");
      is_good = false;
    }
  }
  return is_good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  const double number = argc > 2 ? std::strtod(argv[2], nullptr) : 0;
  Way way;
  way.is_counted = how == "count" && argc == 2;
  way.by_clock = how == "clock" && argc == 3;
  way.is_unbounded = argc == 4 && std::strcmp(argv[3], "unbounded") == 0;
  const bool by_steps = how == "step" && (argc == 3 || way.is_unbounded);
  way.ticks = static_cast<std::uint64_t>(way.is_counted ? kUntilTracked + kCountedTicks
                                         : way.by_clock ? number / signal::kTick_s
                                                        : number);
  if (!(way.is_counted || way.by_clock || by_steps) || way.ticks == 0) {
    std::fprintf(stderr,
                 "usage: xcp_flood step TICKS [unbounded] | clock SECONDS | count, with at least "
                 "one tick\n");
    return 2;
  }
  return make_model() ? run_all(way) : 1;
}
