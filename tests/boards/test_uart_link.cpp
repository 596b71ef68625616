// The UART link against the contract of a byte link: the launcher wires UART 1 to UART 2.
#include <new>

#include "unity.h"

#include "board.h"
#include "boards/cortex_m/cmsdk_uart_link.h"
#include "boards/cortex_m/nvic.h"
#include "tests/contract/byte_link.h"

namespace {

using namespace taut;
using cortex_m::CmsdkUartLink;
static_assert(hal::ByteLink<CmsdkUartLink>);

// One end of the wire; counts what it takes, so that whoever waits knows for how much.
struct End {
  explicit End(std::uintptr_t base_address) : uart(base_address) {}
  [[nodiscard]] std::size_t read(etl::span<std::uint8_t> into) { return uart.read(into); }
  [[nodiscard]] std::size_t write(etl::span<const std::uint8_t> from) {
    const std::size_t taken = uart.write(from);
    written += taken;
    return taken;
  }
  [[nodiscard]] std::uint32_t bytes_lost() const { return uart.bytes_lost(); }

  CmsdkUartLink uart;
  std::size_t written = 0;
  volatile std::size_t arrived = 0;
};
static_assert(hal::ByteLink<End>);

struct Wire {
  End near{board::kUart1};
  End far{board::kUart2};
};
alignas(Wire) std::byte storage[sizeof(Wire)];
Wire* wire = nullptr;

class UartFixture {
 public:
  UartFixture() { wire = new (storage) Wire; }
  UartFixture(const UartFixture&) = delete;
  UartFixture& operator=(const UartFixture&) = delete;
  ~UartFixture() { wait(); }

  End& link() { return wire->near; }

  void send(etl::span<const std::uint8_t> bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
      sent += wire->far.write(bytes.subspan(sent));
    }
    wait();
  }

  std::size_t receive(etl::span<std::uint8_t> into) {
    wait();
    return wire->far.read(into);
  }

 private:
  // Bounded by the launcher's time-out, should a byte be lost on the wire.
  static void wait() {
    while (wire->near.arrived != wire->far.written || wire->far.arrived != wire->near.written) {
    }
  }
};

}  // namespace

extern "C" {
void Interrupt2_Handler() noexcept {
  wire->near.arrived = wire->near.arrived + wire->near.uart.receive_from_interrupt();
}
void Interrupt4_Handler() noexcept {
  wire->far.arrived = wire->far.arrived + wire->far.uart.receive_from_interrupt();
}
}

int main() {
  UNITY_BEGIN();
  cortex_m::enable_interrupt(board::kUart1ReceiveInterrupt);
  cortex_m::enable_interrupt(board::kUart2ReceiveInterrupt);
  contract::run_byte_link<UartFixture>();
  return UNITY_END();
}
