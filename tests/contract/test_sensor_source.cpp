#include "unity.h"

#include "hal/fakes/fake_sensor_source.h"
#include "tests/contract/sensor_source.h"

namespace {

using namespace taut;

class FakeSensorSourceFixture {
 public:
  hal::fakes::FakeSensorSource& source() { return source_; }
  void measure(hal::RawReading hal::RawReadings::*sensor, float value) {
    source_.measure(sensor, value);
  }
  void pass_edge(signal::Edge edge) { source_.pass_edge(edge); }

 private:
  hal::fakes::FakeSensorSource source_;
};

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_sensor_source<FakeSensorSourceFixture>();
  return UNITY_END();
}
