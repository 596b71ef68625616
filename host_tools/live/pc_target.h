// A twin that this PC runs.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "host_tools/live/target.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::live {

template <twin::ChainModel Chain>
class PcTarget : public Target {
 public:
  using Machine = tool::TwinMachine<Chain>;

  PcTarget(const TargetSpec& spec, std::unique_ptr<Machine> machine)
      : model_(spec.model),
        machine_(std::move(machine)),
        record_(spec.rig.drive, spec.model, spec.files, *machine_, spec.kept_ticks) {}

  [[nodiscard]] std::string machine() const override { return "this PC"; }
  [[nodiscard]] std::string model() const override { return model_; }

  void tick(const rig::Rig::Tick& measured, double time_s) override {
    const auto begin = std::chrono::steady_clock::now();
    tool::tick(measured.frame, *machine_);
    end_tick(begin, measured.truth, time_s);
  }
  [[nodiscard]] const signal::SensorFrame& frame() const override { return machine_->frame; }
  [[nodiscard]] const signal::Prediction& prediction() const override {
    return machine_->prediction;
  }
  [[nodiscard]] crank::Sync sync() const override { return machine_->state.observer.sync; }
  [[nodiscard]] double last_tick_s() const override { return last_tick_s_; }
  [[nodiscard]] std::string timing() const override {
    return "Ticks by the clock of this PC, between its other programs; taut rt runs in real time.";
  }
  [[nodiscard]] const tool::TwinReport& so_far() const override { return record_.so_far(); }
  [[nodiscard]] const tool::TwinTraces& traces() const override { return record_.traces(); }

  [[nodiscard]] std::optional<std::size_t> tagged_link() const override {
    const twin::Calibration& calibration = machine_->state.calibration;
    return calibration.gauge_is_placed != 0 ? std::optional<std::size_t>(calibration.tagged_link)
                                            : std::nullopt;
  }
  void tag_on(std::size_t links) override {
    twin::Calibration calibration = machine_->state.calibration;
    calibration.tagged_link =
        static_cast<std::uint32_t>((calibration.tagged_link + links) % machine_->model.links);
    record_.calibrate(calibration);
  }

  void look(const StraightChain& straight, ChainLook& look) const override;
  [[nodiscard]] tool::TwinReport finish() override { return record_.finish(); }
  [[nodiscard]] std::string last_words() const override { return ""; }

 protected:
  [[nodiscard]] Machine& twin() { return *machine_; }
  // Of a tick that began then and whose prediction is in the machine.
  void end_tick(std::chrono::steady_clock::time_point begin, const rig::Truth& truth,
                double time_s) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    last_tick_s_ = took.count();
    record_.add(&truth, time_s, last_tick_s_);
  }

 private:
  std::string model_;
  std::unique_ptr<Machine> machine_;
  tool::TwinRecord<Chain> record_;
  double last_tick_s_ = 0;
};

}  // namespace taut::live
