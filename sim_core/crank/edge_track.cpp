#include "sim_core/crank/edge_track.h"

#include "sim_core/crank/fading_memory.h"
#include "sim_core/crank/wheel.h"
#include "sim_core/math/clamp.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::crank {
namespace {

// Share of an error that each order takes: with some 73 edges a second it learns within half a
// second. All 24 coefficients together must stay well below 1, or they disturb each other.
constexpr float kLearning = 0.06F;

struct Complex {
  float re;
  float im;
};

[[nodiscard]] Complex times(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// The series at an angle of the smooth part, and its derivatives by that angle.
struct Deviation {
  float angle_rad;
  float slope;
  float curvature_1_rad;
};

[[nodiscard]] Deviation deviation_at(const EdgeTrack& track, std::uint32_t angle) {
  const auto one = math::sincos(to_rad(angle));
  Complex turned{1, 0};
  Deviation sum{0, 0, 0};
  for (std::size_t i = 0; i < kOrders; ++i) {
    turned = times(turned, {one.cos, one.sin});
    const auto order = static_cast<float>(i + 1);
    const float in_phase = track.cosine_rad[i] * turned.re + track.sine_rad[i] * turned.im;
    const float across = track.sine_rad[i] * turned.re - track.cosine_rad[i] * turned.im;
    sum.angle_rad += in_phase;
    sum.slope += order * across;
    sum.curvature_1_rad -= order * order * in_phase;
  }
  return sum;
}

// The smooth part follows slow orders too: of what swings at nu it leaves (j nu/(j nu + b))^3, b
// its bandwidth, to be seen. The error is turned back by that phase, or an order that the smooth
// part answers to would be learned with the wrong sign.
void learn(const EdgeTrackModel& model, std::uint32_t angle, float error_rad, EdgeTrack& track) {
  const float bandwidth_1_s = kMemory / track.memory_s;
  const auto one = math::sincos(to_rad(angle));
  Complex turned{1, 0};
  for (std::size_t i = 0; i < model.orders; ++i) {
    turned = times(turned, {one.cos, one.sin});
    const float nu_1_s = static_cast<float>(i + 1) * track.speed_rad_s;
    const float size_1_s = math::sqrt(bandwidth_1_s * bandwidth_1_s + nu_1_s * nu_1_s);
    const Complex left{nu_1_s / size_1_s, bandwidth_1_s / size_1_s};  // of size 1
    const Complex seen = times(turned, times(left, times(left, left)));
    track.cosine_rad[i] =
        math::clamp(track.cosine_rad[i] + kLearning * error_rad * seen.re, model.most_rad);
    track.sine_rad[i] =
        math::clamp(track.sine_rad[i] + kLearning * error_rad * seen.im, model.most_rad);
  }
}

}  // namespace

void start(std::uint32_t angle, float speed_rad_s, EdgeTrack& track) {
  track.angle = angle - to_turns(deviation_at(track, angle).angle_rad);
  track.speed_rad_s = speed_rad_s;
  track.acceleration_rad_s2 = 0;
  track.memory_s = 0;
}

void advance(const EdgeTrackModel& model, float time_s, EdgeTrack& track) {
  track.angle += to_turns(time_s * (track.speed_rad_s + 0.5F * time_s * track.acceleration_rad_s2));
  track.speed_rad_s =
      math::clamp(track.speed_rad_s + time_s * track.acceleration_rad_s2, model.max_speed_rad_s);
}

Tracked at_end_of_tick(const EdgeTrackModel& model, const EdgeTrack& track) {
  const Deviation deviation = deviation_at(track, track.angle);
  const float speed_rad_s = track.speed_rad_s;
  const float acceleration_rad_s2 = track.acceleration_rad_s2 * (1 + deviation.slope) +
                                    speed_rad_s * speed_rad_s * deviation.curvature_1_rad;
  return {track.angle + to_turns(deviation.angle_rad),
          math::clamp(speed_rad_s * (1 + deviation.slope), model.max_speed_rad_s),
          math::clamp(acceleration_rad_s2, model.max_acceleration_rad_s2)};
}

float correct(const EdgeTrackModel& model, std::uint32_t place, float before_end_s, float time_s,
              EdgeTrack& track) {
  const std::uint32_t angle = track.angle - to_turns(before_end_s * track.speed_rad_s);
  const float error_rad =
      to_signed_rad(place - angle - to_turns(deviation_at(track, angle).angle_rad));
  if (math::magnitude(error_rad) > model.most_rad) {
    start(place, track.speed_rad_s, track);
    track.angle += to_turns(before_end_s * track.speed_rad_s);
    return error_rad;
  }
  const Correction by = correction(error_rad, time_s, model.memory_s, track.memory_s);
  track.angle += to_turns(by.angle_rad + before_end_s * by.speed_rad_s);
  track.speed_rad_s = math::clamp(track.speed_rad_s + by.speed_rad_s, model.max_speed_rad_s);
  track.acceleration_rad_s2 = math::clamp(track.acceleration_rad_s2 + by.acceleration_rad_s2,
                                          model.max_acceleration_rad_s2);
  if (track.memory_s >= model.memory_s) {  // before, it is not the series that is off
    learn(model, angle, error_rad, track);
  }
  return error_rad;
}

}  // namespace taut::crank
