// The profile of ASA B29.1 type II as a curve, built from the drawing step by step: every point is
// where the last one ended. Independent of tooth_gap.h, which finds distances from closed forms.
#pragma once

#include <cmath>

namespace taut::contact::test {

struct Point {
  double x;
  double y;
};

inline Point operator+(Point p, Point q) {
  return {p.x + q.x, p.y + q.y};
}
inline Point operator-(Point p, Point q) {
  return {p.x - q.x, p.y - q.y};
}
inline Point operator*(double s, Point p) {
  return {s * p.x, s * p.y};
}
inline double dot(Point p, Point q) {
  return p.x * q.x + p.y * q.y;
}
inline double cross(Point p, Point q) {
  return p.x * q.y - p.y * q.x;
}
inline double length(Point p) {
  return std::sqrt(dot(p, p));
}
inline Point at_angle(double angle_rad) {
  return {std::cos(angle_rad), std::sin(angle_rad)};
}

// A place on the metal of the side x >= 0, and the direction from there to the roller.
struct Place {
  Point on_metal_m;
  Point to_roller;
  int area;  // Pedersen's number; 8: tip
};

// Letters as in Pedersen figure C.3; begin and end of an arc are angles from the x axis.
struct AsaProfile {
  AsaProfile(int teeth, double roller_radius_m, double pitch_m) {
    constexpr double kDegree = 0.017453292519943295;
    roller_radius = roller_radius_m;
    half_pitch_angle = 180.0 / teeth * kDegree;
    const double diameter = 2 * roller_radius_m;
    const double a_angle = (35 + 60.0 / teeth) * kDegree;
    const double b_angle = (18 - 56.0 / teeth) * kDegree;
    seat_radius = 0.5 * (1.005 * diameter + 7.62e-5);
    working_radius = 1.3025 * diameter + 3.81e-5;
    seat_end = -a_angle;
    working_end = -a_angle + b_angle;
    c = -0.8 * diameter * at_angle(seat_end);
    b = 1.24 * diameter * at_angle(-half_pitch_angle);
    straight_begin = c + working_radius * at_angle(working_end);
    // The straight goes on at a right angle to the working arc's last radius, up to the foot of b.
    const Point up = {-at_angle(working_end).y, at_angle(working_end).x};
    straight_end = straight_begin + dot(b - straight_begin, up) * up;
    topping_radius = length(b - straight_end);
    const Point middle = 0.5 * pitch_m * at_angle(-half_pitch_angle);
    const Point outward = {std::sin(half_pitch_angle), std::cos(half_pitch_angle)};
    const double back = length(b - middle);
    tip = middle + std::sqrt(topping_radius * topping_radius - back * back) * outward;
    topping_begin = std::atan2((straight_end - b).y, (straight_end - b).x);
    topping_end = std::atan2((tip - b).y, (tip - b).x);
    tooth_axis = std::atan2(outward.y, outward.x);
  }

  // part 0..1 within area 4 (from the middle of the seat) to 8 (to the tooth's centre line).
  [[nodiscard]] Place place(int area, double part) const {
    constexpr double kDown = -1.5707963267948966;
    switch (area) {
      case 4: {
        const Point out = at_angle(kDown + part * (seat_end - kDown));
        return {seat_radius * out, -1 * out, 4};
      }
      case 5: {
        const Point out = at_angle(seat_end + part * (working_end - seat_end));
        return {c + working_radius * out, -1 * out, 5};
      }
      case 6:
        return {straight_begin + part * (straight_end - straight_begin), -1 * at_angle(working_end),
                6};
      case 7: {
        const Point out = at_angle(topping_begin + part * (topping_end - topping_begin));
        return {b + topping_radius * out, out, 7};
      }
      default:
        return {tip, at_angle(topping_end + part * (tooth_axis - topping_end)), 8};
    }
  }

  [[nodiscard]] Point roller(const Place& place, double indentation_m) const {
    return place.on_metal_m + (roller_radius - indentation_m) * place.to_roller;
  }

  double roller_radius;
  double half_pitch_angle;
  double seat_radius;
  double working_radius;
  double topping_radius;
  double seat_end;
  double working_end;
  double topping_begin;
  double topping_end;
  double tooth_axis;
  Point c;
  Point b;
  Point straight_begin;
  Point straight_end;
  Point tip;
};

}  // namespace taut::contact::test
