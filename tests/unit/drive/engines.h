// The two engines of Pedersen's chapter 5 as specifications, for tests of every room.
// Sources: tables 5.1 to 5.3 and 5.5 to 5.7, section 5.8; guide-bars by our own choice, since
// their sizes are not published. Not the shipped drives: those are files of their own.
#pragma once

#include "sim_core/drive/drive_spec.h"

namespace taut::drive_test {

using namespace taut::drive;

inline SprocketSpec sprocket(double x_m, double y_m, int teeth, double pitch_radius_m,
                             double inertia_kg_m2, double mass_kg, Side side = Side::kInside) {
  SprocketSpec sprocket;
  sprocket.centre_x_m = x_m;
  sprocket.centre_y_m = y_m;
  sprocket.teeth = teeth;
  sprocket.pitch_radius_m = pitch_radius_m;
  sprocket.inertia_kg_m2 = inertia_kg_m2;
  sprocket.mass_kg = mass_kg;
  sprocket.side = side;
  return sprocket;
}

// Fore end drive of the 6L60MC: no friction, no guide-bars; the tightener is not described.
inline DriveSpec engine_6l60mc() {
  DriveSpec spec;
  spec.name = "6L60MC";
  spec.chain = {.links = 122,
                .pitch_m = 0.0889,
                .roller_mass_kg = 3.01,
                .roller_radius_m = 0.027,
                .link_stiffness_N_m = 815e6,
                .link_damping_N_s_m = 250,
                .joint_damping_N_m_s = 0,
                .pretension_N = 21e3,
                .breaking_load_N = 0};
  spec.crank.speed_rpm = 120;
  spec.contact.stiffness_N_m_n = 1e9;
  spec.sprockets.push_back(sprocket(0.0, 0.0, 60, 0.849325, 435, 850));
  spec.sprockets.push_back(sprocket(0.5560, 2.2020, 30, 0.425245, 82, 759, Side::kOutside));
  spec.sprockets.push_back(sprocket(0.3366, 3.0944, 28, 0.397000, 15, 183));
  spec.sprockets.push_back(sprocket(-0.5560, 2.2020, 30, 0.425245, 82, 759));
  return spec;
}

// The chain of 6L60MC on two sprockets of 30 teeth, pulled apart; without gravity.
inline DriveSpec pair_of_sprockets() {
  DriveSpec spec = engine_6l60mc();
  spec.chain.links = 90;
  spec.gravity = {0, 0};
  spec.sprockets.clear();
  const double distance_m = 30 * spec.chain.pitch_m + 1.8e-3;
  spec.sprockets.push_back(sprocket(0, 0, 30, 0, 82, 759));
  spec.sprockets.push_back(sprocket(distance_m, 0, 30, 0, 82, 759));
  return spec;
}

inline GuideBarSpec guide_bar_6s90mc_c(int strand, double place) {
  GuideBarSpec bar;
  bar.strand = strand;
  bar.place = place;
  bar.flat_length_m = 1.2;
  bar.end_length_m = 0.15;
  bar.end_radius_m = 1.0;
  bar.indentation_m = 0.005;
  bar.stiffness_N_m_n = 3e6;
  return bar;
}

inline TightenerSpec tightener_6s90mc_c() {
  return {.kind = TightenerKind::kArm,
          .sprocket = 3,
          .pivot_x_m = 0.490,
          .pivot_y_m = 4.680,
          .arm_mass_kg = 300,
          .arm_inertia_kg_m2 = 10,
          .mass_centre_x_m = 0.1975,
          .mass_centre_y_m = 4.7328,
          .spring_on_arm_x_m = -0.3,
          .spring_on_arm_y_m = 4.425,
          .spring_on_ground_x_m = -0.3,
          .spring_on_ground_y_m = 5.625,
          .spring_free_length_m = 1.19,
          .spring_stiffness_N_m = 6e6,
          .spring_damping_N_s_m = 800};
}

// Our own choice: none is published.
inline HydraulicSpec hydraulic_6s90mc_c() {
  return {.acts = Acts::kPull,
          .piston_area_m2 = 0.00785,
          .chamber_volume_m3 = 0.0004,
          .bulk_modulus_Pa = 1.0e9,
          .oil_density_kg_m3 = 870,
          .supply_pressure_Pa = 2.0e5,
          .valve_cracking_Pa = 0.2e5,
          .valve_opening_Pa = 0.5e5,
          .valve_area_m2 = 1e-4,
          .leak_resistance_Pa_s_m3 = 5e11,
          .travel_in_m = 0.03,
          .travel_out_m = 0.05,
          .stop_stiffness_N_m = 3e8,
          .stop_damping_s_m = 2};
}

// Centre 3 as in section 5.9 of Pedersen: table 5.5 rounds it to a millimetre, and a quarter of
// one is worth 6 kN of tension.
inline DriveSpec engine_6s90mc_c() {
  DriveSpec spec;
  spec.name = "6S90MC-C";
  spec.chain = {.links = 144,
                .pitch_m = 0.1143,
                .roller_mass_kg = 13.6,
                .roller_radius_m = 0.036195,
                .link_stiffness_N_m = 2137e6,
                .link_damping_N_s_m = 20e3,
                .joint_damping_N_m_s = 0.5,
                .pretension_N = 40e3,
                .breaking_load_N = 2002e3};
  spec.crank.speed_rpm = 76;
  spec.contact.stiffness_N_m_n = 1e9;
  spec.friction.coefficient = 0.1;
  spec.sprockets.push_back(sprocket(0.0, 0.0, 64, 1.164715, 0, 0));
  spec.sprockets.push_back(sprocket(0.453, 3.195, 32, 0.583055, 3712, 3414, Side::kOutside));
  spec.sprockets.push_back(sprocket(0.333199, 4.748179, 32, 0.583055, 776, 849));
  spec.sprockets.push_back(sprocket(-1.098, 3.875, 32, 0.583055, 3712, 3414));
  spec.guide_bars.push_back(guide_bar_6s90mc_c(1, 0.5));
  spec.guide_bars.push_back(guide_bar_6s90mc_c(4, 0.3));
  spec.guide_bars.push_back(guide_bar_6s90mc_c(4, 0.7));
  spec.tightener = tightener_6s90mc_c();
  return spec;
}

// The same with every kind of wear and damage: a worn chain with a cracked and two long links,
// one bar lined with rubber and worn, one missing, a weak damper.
inline DriveSpec damaged_6s90mc_c() {
  DriveSpec spec = engine_6s90mc_c();
  spec.name = "6S90MC-C, damaged";
  spec.chain.elongation = 0.0002;
  spec.special_links.push_back({.number = 1, .elongation = 0.002});
  spec.special_links.push_back({.number = 17, .stiffness_factor = 0.3});
  spec.special_links.push_back({.number = 90, .elongation = 0.004, .stiffness_factor = 2});
  GuideBarSpec& rubber = spec.guide_bars[2];
  rubber.lining = BarLining::kRubber;
  rubber.lining_thickness_m = 0.03;
  rubber.lining_modulus_Pa = 5e6;
  rubber.lining_width_m = 0.068;
  rubber.lining_hysteresis = 0.4;
  rubber.wear_m = 0.001;
  spec.guide_bars[1].condition = BarCondition::kMissing;
  spec.tightener.damping_factor = 0.5;
  return spec;
}

inline void put_on_support(SprocketSpec& sprocket, double mass_kg) {
  sprocket.mass_kg = mass_kg;
  sprocket.support_stiffness_N_m = 4e8;
  sprocket.support_damping_N_s_m = 5e4;
}

// Supports as soft as an engine's frame may be: all centres yield but the one on the arm.
inline DriveSpec engine_on_supports() {
  DriveSpec spec = engine_6s90mc_c();
  put_on_support(spec.sprockets[0], 6000);
  put_on_support(spec.sprockets[1], 3414);
  put_on_support(spec.sprockets[3], 3414);
  return spec;
}

inline void put_counterweight(SprocketSpec& sprocket, double angle_rad) {
  sprocket.counterweight_mass_kg = 800;
  sprocket.counterweight_radius_m = 0.4;
  sprocket.counterweight_angle_rad = angle_rad;
}

// Counterweights on all sprockets but the one on the arm; sprocket 4 stands rigid.
inline DriveSpec engine_with_counterweights() {
  DriveSpec spec = engine_on_supports();
  spec.sprockets[3].support_stiffness_N_m = 0;
  spec.sprockets[3].support_damping_N_s_m = 0;
  put_counterweight(spec.sprockets[0], 0.5);
  put_counterweight(spec.sprockets[1], 2);
  put_counterweight(spec.sprockets[3], -1);
  return spec;
}

inline DriveSpec engine_with_hydraulic_tightener() {
  DriveSpec spec = engine_6s90mc_c();
  spec.tightener.kind = TightenerKind::kHydraulic;
  spec.hydraulic = hydraulic_6s90mc_c();
  return spec;
}

}  // namespace taut::drive_test
