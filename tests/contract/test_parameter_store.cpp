#include "unity.h"

#include "hal/fakes/fake_parameter_store.h"
#include "tests/contract/parameter_store.h"

namespace {

using namespace taut;

// Of memory that was used before.
template <typename Store>
class FakeParameterStoreFixture {
 public:
  FakeParameterStoreFixture() {
    const contract::Unit used{};
    static_cast<void>(store_.write(0, {used.data(), store_.write_unit()}));
  }
  Store& store() { return store_; }

 private:
  Store store_;
};

// The fake's own: bytes before the loss are changed, later ones are not, until power returns.
void test_power_fails_in_the_middle() {
  hal::fakes::FakeParameterStore<> store;
  const etl::array<std::uint8_t, 16> from{};
  store.lose_power_after(9);
  contract::expect_status(hal::StoreStatus::kDeviceFailed, store.write(0, from));
  contract::expect_bytes(0, store, 0, 9);
  contract::expect_bytes(hal::kErased, store, 9, 7);
  contract::expect_status(hal::StoreStatus::kDeviceFailed, store.erase(0, store.erase_unit()));
  contract::expect_bytes(0, store, 0, 9);
  store.return_power();
  contract::expect_status(hal::StoreStatus::kOk, store.erase(0, store.erase_unit()));
  contract::expect_bytes(hal::kErased, store, 0, 16);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_parameter_store<FakeParameterStoreFixture<hal::fakes::FakeParameterStore<>>>();
  // As an EEPROM: byte by byte.
  using Eeprom = hal::fakes::FakeParameterStore<1024, 1, 1>;
  contract::run_parameter_store<FakeParameterStoreFixture<Eeprom>>();
  RUN_TEST(test_power_fails_in_the_middle);
  return UNITY_END();
}
