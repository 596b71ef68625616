#include "unity.h"

#include "hal/fakes/fake_byte_link.h"
#include "tests/contract/byte_link.h"

namespace {

template <std::size_t kCapacity>
class FakeByteLinkFixture {
 public:
  auto& link() { return link_; }
  void send(etl::span<const std::uint8_t> bytes) { link_.send(bytes); }
  std::size_t receive(etl::span<std::uint8_t> into) { return link_.receive(into); }

 private:
  taut::hal::fakes::FakeByteLink<kCapacity> link_;
};

}  // namespace

int main() {
  UNITY_BEGIN();
  taut::contract::run_byte_link<FakeByteLinkFixture<64>>();
  taut::contract::run_byte_link<FakeByteLinkFixture<7>>();
  return UNITY_END();
}
