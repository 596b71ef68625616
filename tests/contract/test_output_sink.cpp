#include "unity.h"

#include "hal/fakes/fake_output_sink.h"
#include "tests/contract/output_sink.h"

namespace {

template <std::size_t kCapacity>
class FakeOutputSinkFixture {
 public:
  auto& sink() { return sink_; }
  bool receive(taut::signal::OutputFrame& frame) { return sink_.receive(frame); }

 private:
  taut::hal::fakes::FakeOutputSink<kCapacity> sink_;
};

}  // namespace

int main() {
  UNITY_BEGIN();
  taut::contract::run_output_sink<FakeOutputSinkFixture<4>>();
  taut::contract::run_output_sink<FakeOutputSinkFixture<1>>();
  return UNITY_END();
}
