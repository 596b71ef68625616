#include "sim_core/crank/edge_track.h"

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

void add(float more, float most, float& value) {
  value = math::clamp(value + more, most);
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
void learn_one_order(const EdgeTrackModel& model, EdgeTrack& track) {
  Lesson& lesson = track.lesson;
  if (lesson.orders_left == 0) {
    return;
  }
  const std::uint32_t order = lesson.orders_left--;
  const float bandwidth_1_s = kMemory / model.memory_s;
  const float nu_1_s = static_cast<float>(order) * track.speed_rad_s;
  const float size_1_s = math::sqrt(bandwidth_1_s * bandwidth_1_s + nu_1_s * nu_1_s);
  const Complex left{nu_1_s / size_1_s, bandwidth_1_s / size_1_s};  // of size 1
  const auto turned = math::sincos(to_rad(order * lesson.angle));   // whole turns drop out
  const Complex seen = times({turned.cos, turned.sin}, times(left, times(left, left)));
  const float share_rad = kLearning * lesson.error_rad;
  add(share_rad * seen.re, model.most_rad, track.cosine_rad[order - 1]);
  add(share_rad * seen.im, model.most_rad, track.sine_rad[order - 1]);
}

}  // namespace

void start(std::uint32_t angle, float speed_rad_s, EdgeTrack& track) {
  track.angle = angle - to_turns(deviation_at(track, angle).angle_rad);
  track.speed_rad_s = speed_rad_s;
  track.acceleration_rad_s2 = 0;
  track.memory_s = 0;
  track.lesson = {};
}

void advance(const EdgeTrackModel& model, float time_s, EdgeTrack& track) {
  learn_one_order(model, track);
  track.angle += to_turns(time_s * (track.speed_rad_s + 0.5F * time_s * track.acceleration_rad_s2));
  add(time_s * track.acceleration_rad_s2, model.max_speed_rad_s, track.speed_rad_s);
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

float correct(const EdgeTrackModel& model, const PlacedEdge& edge, EdgeTrack& track,
              Tracked& at_end) {
  const std::uint32_t off = edge.place - angle_before(at_end, edge.before_end_s);
  const float error_rad = to_signed_rad(off);
  if (math::magnitude(error_rad) > model.most_rad) {
    track.angle += off;
    at_end.angle += off;
    at_end.acceleration_rad_s2 -= track.acceleration_rad_s2;
    track.acceleration_rad_s2 = 0;
    track.memory_s = 0;
    return error_rad;
  }
  const Gains by = growing_gains(edge.settled, edge.time_s, model.memory_s, track.memory_s);
  const float more_rad_s = by.speed * error_rad / edge.time_s;
  const float more_rad_s2 = by.acceleration * error_rad / (edge.time_s * edge.time_s);
  // By how much the series is another at the new angle is left to the next tick.
  const std::uint32_t moved = to_turns(by.angle * error_rad + edge.before_end_s * more_rad_s);
  track.angle += moved;
  at_end.angle += moved;
  add(more_rad_s, model.max_speed_rad_s, track.speed_rad_s);
  add(more_rad_s, model.max_speed_rad_s, at_end.speed_rad_s);
  add(more_rad_s2, model.max_acceleration_rad_s2, track.acceleration_rad_s2);
  add(more_rad_s2, model.max_acceleration_rad_s2, at_end.acceleration_rad_s2);
  // Before it remembers as long as it can, it is not the series that is off.
  const bool is_used_to = track.memory_s >= model.memory_s;
  if (edge.teaches && is_used_to && track.lesson.orders_left == 0) {
    track.lesson = {edge.place, error_rad, model.orders};
  }
  return error_rad;
}

}  // namespace taut::crank
