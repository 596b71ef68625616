// RAM that stands for flash against the contract of a parameter store.
#include "unity.h"

#include "board.h"
#include "boards/mps2/ram_flash.h"
#include "tests/contract/parameter_store.h"

namespace {

using namespace taut;

class RamFlashFixture {
 public:
  mps2::RamFlash& store() { return store_; }

 private:
  mps2::RamFlash store_{board::flash().first(64 * 1024)};
};

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_parameter_store<RamFlashFixture>();
  return UNITY_END();
}
