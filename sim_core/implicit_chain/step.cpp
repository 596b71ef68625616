#include "sim_core/implicit_chain/step.h"

#include "sim_core/drive/drive_model.h"

namespace taut::implicit_chain {
namespace {

// Where the unknown of a sprocket is; the crankshaft's motion is given. The arm comes behind.
constexpr std::size_t wheel_of(std::size_t sprocket) {
  return sprocket - 1;
}

Method method_of(const MethodSpec& spec) {
  const double h = spec.step_s;
  const double r = spec.radius_at_infinity;
  const double alpha_m = (2 * r - 1) / (r + 1);
  const double alpha_f = r / (r + 1);
  const double gamma = 0.5 - alpha_m + alpha_f;
  const double beta = 0.25 * (1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f);
  return {.step_s = static_cast<Real>(h),
          .half_step_s2 = static_cast<Real>(h * h / 2),
          .place_s2 = static_cast<Real>(beta * h * h),
          .rate_s = static_cast<Real>(gamma * h),
          .of_change = static_cast<Real>((1 - alpha_m) / (1 - alpha_f)),
          .of_begin = static_cast<Real>(1 / (1 - alpha_f)),
          .of_true = static_cast<Real>(-alpha_f / (1 - alpha_f))};
}

bool has_arm(const roller_chain::RollerModel<Real>& chain) {
  return chain.arm_sprocket != roller_chain::kNoSprocket;
}

// visit(unknown, inertia, place, rate, force) of each driven sprocket and of the arm.
template <typename Visit>
void for_each_wheel(const roller_chain::RollerModel<Real>& chain,
                    roller_chain::RollerState<Real>& state, Visit visit) {
  for (std::size_t s = 1; s < chain.sprockets; ++s) {
    visit(wheel_of(s), chain.sprocket[s].inertia_kg_m2, state.at.angle_rad[s],
          state.rate.angle_rad_s[s], state.forces.torque_N_m[s]);
  }
  if (has_arm(chain)) {
    visit(wheel_of(chain.sprockets), chain.arm.inertia_kg_m2, state.at.arm_angle_rad,
          state.rate.arm_angle_rad_s, state.forces.arm_moment_N_m);
  }
}

// Places and rates by accelerations.
void move(const ImplicitModel& model, Real place_s2, Real rate_s, const Unknowns& acceleration,
          ImplicitState& state) {
  roller_chain::RollerState<Real>& chain = state.chain;
  for (std::size_t i = 0; i < model.chain.links; ++i) {
    const Pair& change = acceleration.roller[i];
    chain.at.x_m[i] += place_s2 * change.x;
    chain.at.y_m[i] += place_s2 * change.y;
    chain.rate.x_m_s[i] += rate_s * change.x;
    chain.rate.y_m_s[i] += rate_s * change.y;
  }
  for_each_wheel(model.chain, chain,
                 [&](std::size_t k, Real, Real& angle_rad, Real& speed_rad_s, Real) {
                   angle_rad += place_s2 * acceleration.wheel[k];
                   speed_rad_s += rate_s * acceleration.wheel[k];
                 });
}

// To the step's end, as if the acceleration stayed.
void predict_end(const ImplicitModel& model, const crank::Motion<Real>& crank,
                 ImplicitState& state) {
  const Method& method = model.method;
  roller_chain::drift(model.chain, state.chain.rate, method.step_s, state.chain.at);
  move(model, method.half_step_s2, method.step_s, state.acceleration, state);
  roller_chain::move_crank(model.chain, crank, state.chain);
}

// In so long a step rollers come and go at the ends of every run.
void look_at_all_ends(const roller_chain::RollerModel<Real>& chain,
                      roller_chain::Engagements<Real, Real>& engaged) {
  for (std::size_t s = 0; s < chain.sprockets; ++s) {
    engaged.teeth[s].steps_to_look = 0;
  }
  for (std::size_t b = 0; b < chain.guide_bars; ++b) {
    engaged.bars[b].steps_to_look = 0;
  }
}

void add_links(const ImplicitModel& model, ImplicitScratch& scratch) {
  const auto& chain = model.chain;
  const Method& method = model.method;
  for (std::size_t i = 0; i < chain.links; ++i) {
    const Real along =
        method.place_s2 * chain.link_stiffness_N_m[i] + method.rate_s * chain.link_damping_N_s_m;
    const Real tension_N = scratch.chain.tension_N[i];
    const Real across = method.place_s2 * (tension_N > 0 ? tension_N : Real(0)) *
                        scratch.chain.inverse_length_1_m[i];
    Symmetric block{across, 0, across};
    block.add(along - across, scratch.chain.along_x[i], scratch.chain.along_y[i]);
    scratch.system.link[i] = block;
    scratch.system.diagonal[roller_before(chain, i)].add(block);
    scratch.system.diagonal[i].add(block);
  }
}

// What a contact's force changes by along its normal and across it, by the law and its friction.
Symmetric contact_of(const ImplicitModel& model, const contact::NormalLaw<Real>& law,
                     const roller_chain::ContactBlock<Real>& block, std::size_t lane,
                     Real curvature_1_m) {
  const Method& method = model.method;
  const Real indentation_m = block.indentation_m[lane];
  const Real normal_N = block.normal_N[lane];
  const Real elastic_N = contact::elastic_force_N(law, indentation_m);
  const Real exponent = law.hertzian ? Real(1.5) : Real(1);
  const bool damped =
      normal_N > law.lowest_factor * elastic_N && normal_N < law.highest_factor * elastic_N;
  const Real damping_N_s_m =
      damped ? law.damping * elastic_N *
                   contact::inverse_speed_s_m(law, block.inverse_first_touch_speed_s_m[lane])
             : Real(0);
  // Friction's slope is the chord from zero: a step is longer than friction takes to stop a
  // roller, and with the tangent it would turn it back.
  const Real sliding_m_s = math::magnitude(block.sliding_m_s[lane]);
  const Real slowest_m_s = Real(0.01) / model.chain.friction.inverse_speed_s_m;
  const Real chord_m_s = sliding_m_s > slowest_m_s ? sliding_m_s : slowest_m_s;
  const Real rubbing_N_s_m =
      -contact::friction_force_N(model.chain.friction, normal_N, chord_m_s) / chord_m_s;
  const Real bend_N_m = curvature_1_m > 0 ? normal_N * curvature_1_m : Real(0);
  const Real normal_x = block.normal_x[lane];
  const Real normal_y = block.normal_y[lane];
  Symmetric found{};
  found.add(method.place_s2 * exponent * normal_N / indentation_m + method.rate_s * damping_N_s_m,
            normal_x, normal_y);
  found.add(method.place_s2 * bend_N_m + method.rate_s * rubbing_N_s_m, -normal_y, normal_x);
  return found;
}

// visit(block, lane, roller) of each contact that touches.
template <typename Contacts, typename Visit>
void for_each_touch(const roller_chain::ContactSection& section, Contacts& contacts, Visit visit) {
  roller_chain::for_each_block(section, contacts, [&](auto& block) {
    for (std::size_t lane = 0; lane < block.rollers; ++lane) {
      if (block.indentation_m[lane] > 0) {
        visit(block, lane, block.first_roller + lane);
      }
    }
  });
}

void add_teeth(const ImplicitModel& model, std::size_t s, ImplicitScratch& scratch) {
  const contact::ToothGap<Real>& gap = model.chain.sprocket[s].gap;
  const auto& contacts = scratch.chain.teeth;
  for_each_touch(contacts.section[s], contacts, [&](const auto& block, auto lane, auto roller) {
    const Real curvature_1_m =
        contact::touch(gap, block.in_frame_x_m[lane], block.in_frame_y_m[lane]).curvature_1_m;
    scratch.tooth[roller] = contact_of(model, model.chain.tooth_law, block, lane, curvature_1_m);
    scratch.system.diagonal[roller].add(scratch.tooth[roller]);
  });
}

void add_bars(const ImplicitModel& model, ImplicitScratch& scratch) {
  const auto& contacts = scratch.chain.bars;
  for (std::size_t b = 0; b < model.chain.guide_bars; ++b) {
    for_each_touch(contacts.section[b], contacts, [&](const auto& block, auto lane, auto roller) {
      scratch.system.diagonal[roller].add(
          contact_of(model, model.chain.guide_bar[b].law, block, lane, Real(0)));
    });
  }
}

// Masses, and what is left over of the forces at the predicted end.
void set_inertia(const ImplicitModel& model, ImplicitState& state, ImplicitScratch& scratch) {
  const Method& method = model.method;
  CyclicSystem& system = scratch.system;
  const Real mass_kg = model.chain.roller_mass_kg;
  const Real moved_kg = method.of_change * mass_kg;
  for (std::size_t i = 0; i < model.chain.links; ++i) {
    Pair& expected = scratch.expected.roller[i];
    expected = {};
    add_to(expected, method.of_begin, state.acceleration.roller[i]);
    add_to(expected, method.of_true, state.true_acceleration.roller[i]);
    system.diagonal[i] = {moved_kg, 0, moved_kg};
    system.row[i].right = {state.chain.forces.x_N[i] - mass_kg * expected.x,
                           state.chain.forces.y_N[i] - mass_kg * expected.y};
  }
}

// How the arm resists by itself.
Real arm_kg_m2(const ImplicitModel& model, const ImplicitScratch& scratch) {
  const math::Vector2<Real> gravity(model.chain.gravity_x_m_s2, model.chain.gravity_y_m_s2);
  const auto& pose = scratch.chain.arm_pose;
  const Real stiffness_N_m = tightener::potential(model.chain.arm, gravity, pose).stiffness_N_m_rad;
  const Real damping_N_m_s =
      model.chain.arm.spring_damping_N_s_m * pose.length_per_angle_m * pose.length_per_angle_m;
  return model.method.place_s2 * stiffness_N_m + model.method.rate_s * damping_N_m_s;
}

// Wheels feel what teeth do after the rollers have moved. They are ten times as heavy as the
// rollers they carry, so that rollers may be solved for with wheels as predicted. The other way
// round, wheels against rollers that stand still, or both at once, is worse or costs more.
void turn_wheels(const ImplicitModel& model, ImplicitState& state, ImplicitScratch& scratch) {
  const Method& method = model.method;
  auto& contacts = scratch.chain.teeth;
  for (std::size_t s = 0; s < model.chain.sprockets; ++s) {
    Pair sum_N{};
    for_each_touch(contacts.section[s], contacts, [&](auto& block, auto lane, auto roller) {
      const Pair push_N = scratch.tooth[roller].times(scratch.change.roller[roller]);
      add_to(sum_N, Real(1), push_N);
      const Real normal_N =
          block.normal_N[lane] - dot({block.normal_x[lane], block.normal_y[lane]}, push_N);
      block.normal_N[lane] = normal_N > 0 ? normal_N : Real(0);
      state.chain.forces.torque_N_m[s] -= block.y_m[lane] * push_N.x - block.x_m[lane] * push_N.y;
    });
    scratch.chain.on_centre_x_N[s] += sum_N.x;
    scratch.chain.on_centre_y_N[s] += sum_N.y;
    if (s == model.chain.arm_sprocket) {
      const auto& pose = scratch.chain.arm_pose;
      state.chain.forces.arm_moment_N_m -= pose.axle_y_m * sum_N.x - pose.axle_x_m * sum_N.y;
    }
  }
  const std::size_t arm = wheel_of(model.chain.sprockets);
  for_each_wheel(model.chain, state.chain,
                 [&](std::size_t k, Real inertia_kg_m2, Real, Real, Real torque_N_m) {
                   const Real expected = method.of_begin * state.acceleration.wheel[k] +
                                         method.of_true * state.true_acceleration.wheel[k];
                   const Real resisting_kg_m2 = method.of_change * inertia_kg_m2 +
                                                (k == arm ? arm_kg_m2(model, scratch) : Real(0));
                   scratch.expected.wheel[k] = expected;
                   scratch.change.wheel[k] =
                       (torque_N_m - inertia_kg_m2 * expected) / resisting_kg_m2;
                 });
}

// Accelerations, places and rates at the end.
void correct(const ImplicitModel& model, const ImplicitScratch& scratch, ImplicitState& state) {
  const Method& method = model.method;
  move(model, method.place_s2, method.rate_s, scratch.change, state);
  for (std::size_t i = 0; i < model.chain.links; ++i) {
    const Pair& change = scratch.change.roller[i];
    add_to(state.acceleration.roller[i], Real(1), change);
    state.true_acceleration.roller[i] = scratch.expected.roller[i];
    add_to(state.true_acceleration.roller[i], method.of_change, change);
  }
  for_each_wheel(model.chain, state.chain, [&](std::size_t k, Real, Real, Real, Real) {
    state.acceleration.wheel[k] += scratch.change.wheel[k];
    state.true_acceleration.wheel[k] =
        scratch.expected.wheel[k] + method.of_change * scratch.change.wheel[k];
  });
}

// Tensions at the end: at the predicted place they are far off, for links are stiff.
void correct_tensions(const ImplicitModel& model, ImplicitScratch& scratch) {
  const auto& chain = model.chain;
  const Real damping_kg = model.method.rate_s * chain.link_damping_N_s_m;
  for (std::size_t i = 0; i < chain.links; ++i) {
    const Pair& from = scratch.change.roller[roller_before(chain, i)];
    const Pair& to = scratch.change.roller[i];
    const Real apart_m_s2 =
        scratch.chain.along_x[i] * (to.x - from.x) + scratch.chain.along_y[i] * (to.y - from.y);
    scratch.chain.tension_N[i] +=
        apart_m_s2 * (model.method.place_s2 * chain.link_stiffness_N_m[i] + damping_kg);
  }
}

}  // namespace

const char* make_implicit_model(const drive::DriveModel& drive,
                                const roller_chain::Configuration<double>& rest,
                                const MethodSpec& method, ImplicitModel& model) {
  roller_chain::make_roller_model(drive, {.step_s = method.step_s}, model.chain);
  model.rest = rest;
  model.method = method_of(method);
  return model.chain.has_hydraulic_unit     ? "a hydraulic tightener"
         : model.chain.has_yielding_centres ? "supports that yield"
         : model.chain.has_unbalance        ? "counterweights"
                                            : nullptr;
}

void init(const ImplicitModel& model, Real crank_rad_s, ImplicitState& state,
          ImplicitScratch& scratch) {
  state = {};
  roller_chain::init(model.chain, model.rest, crank_rad_s, state.chain, scratch.chain);
}

void step(const ImplicitModel& model, const crank::Motion<Real>& crank, ImplicitState& state,
          ImplicitScratch& scratch) {
  predict_end(model, crank, state);
  look_at_all_ends(model.chain, state.chain.engaged);
  roller_chain::evaluate(model.chain, state.chain, scratch.chain);
  set_inertia(model, state, scratch);
  add_links(model, scratch);
  for (std::size_t s = 0; s < model.chain.sprockets; ++s) {
    add_teeth(model, s, scratch);
  }
  add_bars(model, scratch);
  solve(model.chain.links, scratch.system, scratch.change.roller);
  turn_wheels(model, state, scratch);
  // Where it goes is known at the predicted end only, which is too far off for that.
  scratch.chain.powers = {};
  scratch.chain.powers.driver_W =
      roller_chain::driver_torque_N_m(state.chain.forces) * state.chain.rate.angle_rad_s[0];
  correct(model, scratch, state);
  correct_tensions(model, scratch);
  ++state.chain.steps;
}

std::uint64_t hash_of(const ImplicitModel& model, const ImplicitState& state) {
  math::Hash64 hash;
  hash.add(roller_chain::hash_of(model.chain, state.chain));
  for (const Unknowns* unknowns : {&state.acceleration, &state.true_acceleration}) {
    for (std::size_t i = 0; i < model.chain.links; ++i) {
      hash.add(unknowns->roller[i].x);
      hash.add(unknowns->roller[i].y);
    }
    for (const Real wheel : unknowns->wheel) {
      hash.add(wheel);
    }
  }
  return hash.value();
}

}  // namespace taut::implicit_chain
