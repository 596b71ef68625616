#include <algorithm>
#include <chrono>
#include <cmath>

#include "host_tools/live/target.h"
#include "host_tools/taut/run_options.h"

namespace taut::live {
namespace {

// [0, links)
float round_loop(double place_pitches, double links) {
  const double within = place_pitches - links * std::floor(place_pitches / links);
  return within < links ? static_cast<float>(within) : 0.0F;
}

void look_at(const tool::TwinMachine<twin::ReducedChain>& machine,
             const StraightChain& /*straight*/, ChainLook& look) {
  const auto& model = machine.model.chain;
  const auto& state = machine.state.chain;
  const auto links = static_cast<double>(model.links);
  const auto travel = static_cast<double>(machine.prediction.chain_pitches);
  for (std::size_t i = 0; i < look.link_N.size(); ++i) {
    const double roller = static_cast<double>(i) + travel;
    const float place = round_loop(roller, links);
    look.link_N[i] =
        reduced_chain::link_force_N(model, state, machine.scratch, round_loop(roller - 0.5, links));
    look.tooth_N[i] = reduced_chain::tooth_force_N(model, state, machine.scratch, place);
    look.beside_m[i] = reduced_chain::beside_m(model, state, place);
  }
}

template <typename Float, typename Force>
void look_at_rollers(const roller_chain::RollerState<Float, Force>& state,
                     const roller_chain::RollerScratch<Float, Force>& scratch,
                     const StraightChain& straight, ChainLook& look) {
  const auto& at = state.at;
  const std::size_t links = look.link_N.size();
  for (std::size_t i = 0; i < links; ++i) {
    look.link_N[i] = scratch.tension_N[i];
    look.tooth_N[i] = 0;
    look.beside_m[i] = static_cast<float>(
        (drive::Point(static_cast<double>(at.x_m[i]), static_cast<double>(at.y_m[i])) -
         straight.at_m[i])
            .dot(straight.left[i]));
  }
  for (std::size_t b = scratch.teeth.all.begin; b < scratch.teeth.all.end; ++b) {
    const auto& block = scratch.teeth.block[b];
    for (std::size_t lane = 0; lane < block.rollers; ++lane) {
      look.tooth_N[(block.first_roller + lane) % links] += block.normal_N[lane];
    }
  }
}

void look_at(const tool::TwinMachine<tool::RollerTwinChain>& machine, const StraightChain& straight,
             ChainLook& look) {
  look_at_rollers(machine.state.chain, machine.scratch, straight, look);
}

void look_at(const tool::TwinMachine<twin::ImplicitChain>& machine, const StraightChain& straight,
             ChainLook& look) {
  look_at_rollers(machine.state.chain.chain, machine.scratch.chain, straight, look);
}

template <twin::ChainModel Chain>
class PcTarget : public Target {
 public:
  explicit PcTarget(const TargetSpec& spec)
      : model_(spec.model),
        machine_(tool::make_twin<Chain>(spec.rig, spec.block)),
        record_(spec.rig.drive, spec.model, spec.files, *machine_, spec.kept_ticks) {}

  [[nodiscard]] std::string machine() const override { return "this PC"; }
  [[nodiscard]] std::string model() const override { return model_; }

  void tick(const rig::Rig::Tick& measured, double time_s) override {
    const auto begin = std::chrono::steady_clock::now();
    tool::tick(measured.frame, *machine_);
    const auto end = std::chrono::steady_clock::now();
    last_tick_s_ = std::chrono::duration<double>(end - begin).count();
    record_.add(&measured.truth, time_s, last_tick_s_);
  }
  [[nodiscard]] const signal::SensorFrame& frame() const override { return machine_->frame; }
  [[nodiscard]] const signal::Prediction& prediction() const override {
    return machine_->prediction;
  }
  [[nodiscard]] crank::Sync sync() const override { return machine_->state.observer.sync; }
  [[nodiscard]] double last_tick_s() const override { return last_tick_s_; }
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

  void look(const StraightChain& straight, ChainLook& look) const override {
    const std::size_t links = machine_->model.links;
    look.link_N.resize(links);
    look.tooth_N.resize(links);
    look.beside_m.resize(links);
    look_at(*machine_, straight, look);
  }
  [[nodiscard]] tool::TwinReport finish() override { return record_.finish(); }

 private:
  std::string model_;
  std::unique_ptr<tool::TwinMachine<Chain>> machine_;
  tool::TwinRecord<Chain> record_;
  double last_tick_s_ = 0;
};

}  // namespace

std::unique_ptr<Target> make_pc_target(const TargetSpec& spec) {
  return tool::by_chain(spec.model, [&](auto chain) -> std::unique_ptr<Target> {
    return std::make_unique<PcTarget<typename decltype(chain)::type>>(spec);
  });
}

}  // namespace taut::live
