#include "sim_core/drive/drive_model.h"

namespace taut::drive {
namespace {

// A bar pushes away from its side of the loop. Sprockets inside turn as the loop does;
// where that is counter-clockwise, the inside lies on the left of travel.
Point push_direction(const DriveSpec& spec, const Geometry& geometry, const Strand& strand,
                     Side side) {
  const bool first_is_inside = spec.sprockets[0].side == Side::kInside;
  const bool left_is_inside = (geometry.wrap[0].turn > 0) == first_is_inside;
  const Point left = math::hat(strand.direction);
  const bool push_left = left_is_inside == (side == Side::kOutside);
  return push_left ? left : Point(-left);
}

}  // namespace

template <typename Real>
contact::GuideBar<Real> guide_bar_of(const DriveModel& model, std::size_t index) {
  const Geometry& geometry = model.geometry;
  const GuideBarSpec& bar = model.spec.guide_bars[index];
  const Strand& strand = geometry.strand[static_cast<std::size_t>(bar.strand) - 1];
  const Point middle_m = strand.begin_m + bar.place * strand.length_m * strand.direction;
  return contact::make_guide_bar<Real>(middle_m, strand.direction,
                                       push_direction(model.spec, geometry, strand, bar.side),
                                       bar.flat_length_m, bar.end_length_m, bar.end_radius_m,
                                       bar.indentation_m - bar.wear_m, bar.rotation_rad);
}

template <typename Real>
tightener::WeightArm<Real> arm_of(const DriveSpec& spec) {
  const TightenerSpec& given = spec.tightener;
  const SprocketSpec& sprocket = spec.sprockets[static_cast<std::size_t>(given.sprocket) - 1];
  const Point hinge(given.pivot_x_m, given.pivot_y_m);
  const Point axle = Point(sprocket.centre_x_m, sprocket.centre_y_m) - hinge;
  const Point mass_centre = Point(given.mass_centre_x_m, given.mass_centre_y_m) - hinge;
  const Point spring = Point(given.spring_on_arm_x_m, given.spring_on_arm_y_m) - hinge;
  const Point ground = Point(given.spring_on_ground_x_m, given.spring_on_ground_y_m) - hinge;
  const Point weight_moment = given.arm_mass_kg * mass_centre + sprocket.mass_kg * axle;
  return {
      .hinge_x_m = static_cast<Real>(hinge.x()),
      .hinge_y_m = static_cast<Real>(hinge.y()),
      .axle_x_m = static_cast<Real>(axle.x()),
      .axle_y_m = static_cast<Real>(axle.y()),
      .mass_centre_x_m = static_cast<Real>(mass_centre.x()),
      .mass_centre_y_m = static_cast<Real>(mass_centre.y()),
      .spring_x_m = static_cast<Real>(spring.x()),
      .spring_y_m = static_cast<Real>(spring.y()),
      .ground_x_m = static_cast<Real>(ground.x()),
      .ground_y_m = static_cast<Real>(ground.y()),
      .spring_free_length_m = static_cast<Real>(given.spring_free_length_m),
      .spring_stiffness_N_m = static_cast<Real>(given.spring_stiffness_N_m),
      .spring_damping_N_s_m = static_cast<Real>(given.damping_factor * given.spring_damping_N_s_m),
      .weight_moment_x_kg_m = static_cast<Real>(weight_moment.x()),
      .weight_moment_y_kg_m = static_cast<Real>(weight_moment.y()),
      .inertia_kg_m2 = static_cast<Real>(given.arm_inertia_kg_m2 +
                                         given.arm_mass_kg * mass_centre.squaredNorm() +
                                         sprocket.mass_kg * axle.squaredNorm())};
}

template <typename Real>
tightener::HydraulicUnit<Real> hydraulic_unit_of(const DriveSpec& spec, double step_s) {
  const tightener::WeightArm<double> arm = arm_of<double>(spec);
  const double drawn_m = tightener::pose(arm, 0.0).length_m;
  return tightener::make_hydraulic_unit<Real>(spec.hydraulic, drawn_m, step_s);
}

template <typename Real>
contact::ToothGap<Real> tooth_gap_of(const DriveSpec& spec, std::size_t sprocket) {
  const int teeth = spec.sprockets[sprocket].teeth;
  return spec.contact.form == ToothForm::kReal
             ? contact::make_real_gap<Real>(teeth, spec.chain.roller_radius_m, spec.chain.pitch_m)
             : contact::make_circular_gap<Real>(spec.chain.roller_radius_m,
                                                spec.contact.circular_clearance_m);
}

template <typename Real>
contact::NormalLaw<Real> tooth_law_of(const DriveSpec& spec) {
  return contact::make_normal_law<Real>(spec.contact.stiffness_N_m_n, spec.contact.exponent,
                                        spec.contact.restitution);
}

template <typename Real>
contact::NormalLaw<Real> bar_law_of(const DriveSpec& spec, std::size_t index) {
  const GuideBarSpec& bar = spec.guide_bars[index];
  if (bar.lining == BarLining::kRubber) {
    return contact::make_lining_law<Real>({.modulus_Pa = bar.lining_modulus_Pa,
                                           .width_m = bar.lining_width_m,
                                           .thickness_m = bar.lining_thickness_m - bar.wear_m,
                                           .roller_radius_m = spec.chain.roller_radius_m,
                                           .hysteresis = bar.lining_hysteresis});
  }
  return contact::make_normal_law<Real>(bar.stiffness_N_m_n, spec.contact.exponent,
                                        bar.restitution);
}

template <typename Real>
contact::Friction<Real> friction_of(const DriveSpec& spec) {
  return contact::make_friction<Real>(spec.friction.form, spec.friction.coefficient,
                                      spec.friction.speed_m_s, spec.friction.sharpness);
}

template contact::ToothGap<double> tooth_gap_of(const DriveSpec&, std::size_t);
template contact::ToothGap<float> tooth_gap_of(const DriveSpec&, std::size_t);
template contact::GuideBar<double> guide_bar_of(const DriveModel&, std::size_t);
template contact::GuideBar<float> guide_bar_of(const DriveModel&, std::size_t);
template tightener::WeightArm<double> arm_of(const DriveSpec&);
template tightener::WeightArm<float> arm_of(const DriveSpec&);
template tightener::HydraulicUnit<double> hydraulic_unit_of(const DriveSpec&, double);
template tightener::HydraulicUnit<float> hydraulic_unit_of(const DriveSpec&, double);
template contact::NormalLaw<double> tooth_law_of(const DriveSpec&);
template contact::NormalLaw<float> tooth_law_of(const DriveSpec&);
template contact::NormalLaw<double> bar_law_of(const DriveSpec&, std::size_t);
template contact::NormalLaw<float> bar_law_of(const DriveSpec&, std::size_t);
template contact::Friction<double> friction_of(const DriveSpec&);
template contact::Friction<float> friction_of(const DriveSpec&);

bool make_drive_model(const DriveSpec& spec, DriveModel& model) {
  model.spec = spec;
  return make_geometry(spec, model.geometry).possible;
}

DriveSpec with_tightener_turned(const DriveSpec& spec, double angle_rad) {
  DriveSpec turned = spec;
  const Point hinge(spec.tightener.pivot_x_m, spec.tightener.pivot_y_m);
  SprocketSpec& sprocket = turned.sprockets[static_cast<std::size_t>(spec.tightener.sprocket) - 1];
  const Point centre = hinge + tightener::rotated(sprocket.centre_x_m - hinge.x(),
                                                  sprocket.centre_y_m - hinge.y(), angle_rad);
  sprocket.centre_x_m = centre.x();
  sprocket.centre_y_m = centre.y();
  return turned;
}

}  // namespace taut::drive
