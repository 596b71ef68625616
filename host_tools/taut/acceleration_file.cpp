#include "host_tools/taut/acceleration_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "sim_core/crank/make_synthetic.h"

namespace taut::tool {
namespace {

constexpr double kMostAcceleration_rad_s2 = 1e5;  // no crankshaft survives it
constexpr double kSpacingTolerance = 0.01;        // of the spacing: rounded to few digits
constexpr double kTurn_deg = 360;

struct Row {
  int line;
  double at;  // angle or time
  double rad_s2;
};

// What the first column holds.
struct Column {
  const char* name;
  const char* unit;
  std::size_t fewest_rows;
  std::size_t most_rows;
};

constexpr Column kAngle{"angle", "deg", math::kMinSplineSamples, math::kMaxSplineSamples};
constexpr Column kTime{"time", "s", 2, crank::kMaxSeriesSamples};

[[noreturn]] void fail(const std::string& file, int line, const std::string& text) {
  throw Failure(ExitCode::kWrongUse, to_text({{file, line, 0, ""}, "", text}));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

struct Cells {
  std::string_view first;
  std::string_view second;
};

Cells split(const std::string& file, int line, std::string_view text, const Column& column) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos) {
    fail(file, line,
         quoted(text) + ": is not of two columns; write " + column.name + " in " + column.unit +
             ", a comma, acceleration in rad/s^2");
  }
  return {trimmed(text.substr(0, comma)), trimmed(text.substr(comma + 1))};
}

Row parse(const std::string& file, int line, const Cells& cells, const Column& column) {
  const auto value = [&](std::string_view text, const char* what, const char* unit) {
    const std::optional<double> found = parse_number(text);
    if (!found) {
      fail(file, line,
           quoted(text) + ": is not a number; " + what + " in " + unit + " is allowed here");
    }
    return *found;
  };
  const Row row{line, value(cells.first, column.name, column.unit),
                value(cells.second, "acceleration", "rad/s^2")};
  if (std::abs(row.rad_s2) > kMostAcceleration_rad_s2) {
    fail(file, line,
         "acceleration " + general(row.rad_s2) + " rad/s^2: allowed " +
             general(-kMostAcceleration_rad_s2) + " to " + general(kMostAcceleration_rad_s2));
  }
  return row;
}

void check_spacing(const std::string& file, const std::vector<Row>& rows, const Column& column) {
  const double spacing = rows[1].at - rows[0].at;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double step = rows[i].at - rows[i - 1].at;
    if (!(step > 0)) {
      fail(file, rows[i].line,
           std::string(column.name) + " " + general(rows[i].at) + " " + column.unit +
               ": does not grow; the row before has " + general(rows[i - 1].at));
    }
    if (std::abs(step - spacing) > kSpacingTolerance * spacing) {
      fail(file, rows[i].line,
           std::string(column.name) + " " + general(rows[i].at) + " " + column.unit +
               ": is not equally spaced; expected " + general(rows[i - 1].at + spacing) +
               ", as the first two rows are " + general(spacing) + " " + column.unit + " apart");
    }
  }
}

std::vector<Row> read_rows(const std::string& file, const Column& column) {
  errno = 0;
  std::ifstream stream(file);
  std::vector<Row> rows;
  std::string text;
  bool heading_allowed = true;
  for (int line = 1; std::getline(stream, text); ++line) {
    std::string_view rest = text;
    if (line == 1 && rest.starts_with("\xEF\xBB\xBF")) {  // byte order mark
      rest.remove_prefix(3);
    }
    rest = trimmed(rest.substr(0, rest.find('#')));
    if (rest.empty()) {
      continue;
    }
    const Cells cells = split(file, line, rest, column);
    const bool heading =
        heading_allowed && !parse_number(cells.first) && !parse_number(cells.second);
    heading_allowed = false;
    if (!heading) {
      rows.push_back(parse(file, line, cells, column));
    }
    if (rows.size() > column.most_rows + 1) {  // one more may repeat the first
      break;
    }
  }
  if (!stream.eof() && rows.empty()) {
    fail(file, 0, std::string("cannot be read: ") + std::strerror(errno));
  }
  if (rows.size() < column.fewest_rows) {
    fail(file, 0,
         "has " + std::to_string(rows.size()) + " rows of numbers; allowed " +
             std::to_string(column.fewest_rows) + " to " + std::to_string(column.most_rows));
  }
  check_spacing(file, rows, column);
  return rows;
}

void refuse_more_than(std::size_t most, const std::string& file, const std::vector<Row>& rows) {
  if (rows.size() > most) {
    fail(file, 0, "has more than " + std::to_string(most) + " rows of numbers; use fewer");
  }
}

template <typename Contents, typename Read>
std::shared_ptr<const Contents> read_once(
    std::map<std::string, std::shared_ptr<const Contents>>& known, const std::string& file,
    Read read) {
  std::shared_ptr<const Contents>& contents = known[file];
  if (!contents) {
    contents = std::make_shared<const Contents>(read(file));
  }
  return contents;
}

}  // namespace

std::vector<double> read_acceleration_table(const std::string& file) {
  std::vector<Row> rows = read_rows(file, kAngle);
  const double spacing = (rows.back().at - rows.front().at) / static_cast<double>(rows.size() - 1);
  const double tolerance = kSpacingTolerance * spacing;
  if (std::abs(rows.front().at) > tolerance) {
    fail(file, rows.front().line,
         "angle " + general(rows.front().at) + " deg: the first row must be at 0 deg");
  }
  if (std::abs(rows.back().at - kTurn_deg) <= tolerance) {
    const double first = rows.front().rad_s2;
    const double last = rows.back().rad_s2;
    if (std::abs(last - first) > 1e-6 * (std::abs(first) + std::abs(last))) {
      fail(file, rows.back().line,
           "acceleration " + general(last) + " rad/s^2 at 360 deg: is not that of 0 deg, " +
               general(first) + "; a turn later it must be, or leave the row out");
    }
    rows.pop_back();
  } else if (std::abs(rows.back().at + spacing - kTurn_deg) > tolerance) {
    fail(file, rows.back().line,
         "angle " + general(rows.back().at) + " deg is the last: rows " + general(spacing) +
             " deg apart do not fill a turn; allowed as last " + general(kTurn_deg - spacing) +
             " or 360");
  }
  refuse_more_than(kAngle.most_rows, file, rows);
  if (rows.size() < kAngle.fewest_rows) {
    fail(file, 0, "has fewer than " + std::to_string(kAngle.fewest_rows) + " rows before 360 deg");
  }
  std::vector<double> table_rad_s2;
  table_rad_s2.reserve(rows.size());
  for (const Row& row : rows) {
    table_rad_s2.push_back(row.rad_s2);
  }
  return table_rad_s2;
}

AccelerationSeries read_acceleration_series(const std::string& file) {
  const std::vector<Row> rows = read_rows(file, kTime);
  refuse_more_than(kTime.most_rows, file, rows);
  AccelerationSeries series;
  series.period_s = (rows.back().at - rows.front().at) / static_cast<double>(rows.size() - 1);
  series.samples_rad_s2.reserve(rows.size());
  for (const Row& row : rows) {
    series.samples_rad_s2.push_back(static_cast<float>(row.rad_s2));
  }
  return series;
}

std::shared_ptr<const std::vector<double>> AccelerationFiles::table(const std::string& file) {
  return read_once(tables_, file, read_acceleration_table);
}

std::shared_ptr<const AccelerationSeries> AccelerationFiles::series(const std::string& file) {
  return read_once(series_, file, read_acceleration_series);
}

}  // namespace taut::tool
