#include "host_tools/taut/rig_csv.h"

#include <array>
#include <charconv>
#include <functional>

namespace taut::tool {
namespace {

constexpr int kFloatDigits = 9;  // all that a float has
constexpr int kDoubleDigits = 17;

// A cell, begun by its comma.
void append_text(std::string& row, const std::string& text) {
  row += (row.empty() ? "" : ",") + text;
}

void append_cell(std::string& row, double value, int digits) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits);
  append_text(row, std::string(text.data(), end.ptr));
}

struct ReadingColumn {
  const char* name;
  const char* unit;
  rig::RawReading rig::RawFrame::*reading;
};
constexpr std::array<ReadingColumn, 4> kReadingColumns{{
    {"crank_acceleration", "rad_s2", &rig::RawFrame::crank_acceleration_rad_s2},
    {"link_force", "N", &rig::RawFrame::link_force_N},
    {"tightener_acceleration", "m_s2", &rig::RawFrame::tightener_acceleration_m_s2},
    {"tightener_position", "m", &rig::RawFrame::tightener_position_m},
}};

struct TruthColumn {
  const char* name;
  double (*value)(const rig::Truth&);
};
constexpr std::array<TruthColumn, 9> kTruthColumns{{
    {"true_crank_angle_rad", [](const rig::Truth& truth) { return truth.crank.angle_rad; }},
    {"true_crank_speed_rad_s", [](const rig::Truth& truth) { return truth.crank.speed_rad_s; }},
    {"true_crank_acceleration_rad_s2",
     [](const rig::Truth& truth) { return truth.crank.acceleration_rad_s2; }},
    {"true_mean_torque_N_m", [](const rig::Truth& truth) { return truth.mean_torque_N_m; }},
    {"true_propeller_speed_rad_s", [](const rig::Truth& truth) { return truth.propeller_rad_s; }},
    {"true_link_force_N",
     [](const rig::Truth& truth) { return static_cast<double>(truth.chain.tagged_link_N); }},
    {"true_arm_angle_rad",
     [](const rig::Truth& truth) { return static_cast<double>(truth.chain.arm_angle_rad); }},
    {"true_tightener_position_m",
     [](const rig::Truth& truth) { return truth.tightener_position_m; }},
    {"true_tightener_acceleration_m_s2",
     [](const rig::Truth& truth) { return truth.tightener_acceleration_m_s2; }},
}};

std::string rig_header(std::size_t strands) {
  std::string row;
  append_text(row, "time_s");
  append_text(row, "tick");
  for (const ReadingColumn& column : kReadingColumns) {
    append_text(row, std::string(column.name) + "_" + column.unit);
    append_text(row, std::string(column.name) + "_sequence");
  }
  append_text(row, "edges");
  append_text(row, "edges_lost");
  for (std::size_t i = 1; i <= signal::kMaxEdges; ++i) {
    append_text(row, "edge_moment_1_65536_tick[" + std::to_string(i) + "]");
    append_text(row, "edge_kind[" + std::to_string(i) + "]");
  }
  for (const TruthColumn& column : kTruthColumns) {
    append_text(row, column.name);
  }
  for (std::size_t i = 1; i <= strands; ++i) {
    append_text(row, "true_strand_mean_N[" + std::to_string(i) + "]");
  }
  return row + "\n";
}

void append_edges(std::string& row, const rig::RawFrame& frame) {
  append_text(row, std::to_string(frame.edges));
  append_text(row, std::to_string(frame.edges_lost));
  for (std::size_t i = 0; i < signal::kMaxEdges; ++i) {
    const bool there = i < frame.edges;
    const bool tooth = frame.edge[i].kind == signal::EdgeKind::kTooth;
    append_text(row, there ? std::to_string(frame.edge[i].moment) : "");
    append_text(row, !there ? "" : tooth ? "tooth" : "index");
  }
}

}  // namespace

RigCsv::RigCsv(const std::string& path, std::size_t strands)
    : path_(path), file_(path), strands_(strands) {
  file_.write(rig_header(strands));
}

void RigCsv::add(const rig::Rig::Tick& tick) {
  const rig::RawFrame& frame = tick.frame;
  row_.clear();
  append_cell(row_, tick.truth.time_s, kFloatDigits);
  append_text(row_, std::to_string(frame.tick));
  for (const ReadingColumn& column : kReadingColumns) {
    const rig::RawReading& reading = frame.*column.reading;
    append_cell(row_, static_cast<double>(reading.value), kFloatDigits);
    append_text(row_, std::to_string(reading.sequence));
  }
  append_edges(row_, frame);
  for (const TruthColumn& column : kTruthColumns) {
    append_cell(row_, column.value(tick.truth), kDoubleDigits);
  }
  for (std::size_t i = 0; i < strands_; ++i) {
    append_cell(row_, static_cast<double>(tick.truth.chain.strand_mean_N[i]), kFloatDigits);
  }
  file_.write(row_ + "\n");
  ++rows_;
}

}  // namespace taut::tool
