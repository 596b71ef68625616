// A small writer of SVG 1.1: coordinates in pixels, looks in classes of one style sheet.
#pragma once

#include <string>
#include <string_view>

namespace taut::tool {

struct Pixel {
  double x;
  double y;  // downwards
};

// The d attribute of a path.
class PathData {
 public:
  PathData& move(Pixel to);
  PathData& line(Pixel to);
  PathData& curve(Pixel control, Pixel to);
  // clockwise as seen on the page
  PathData& arc(double radius, bool large, bool clockwise, Pixel to);
  PathData& close();
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

enum class Anchor { kStart, kMiddle, kEnd };

class Svg {
 public:
  Svg(double width, double height, std::string_view style, std::string_view title);
  void path(std::string_view look, const PathData& data);
  void line(std::string_view look, Pixel from, Pixel to);
  void wide_line(std::string_view look, Pixel from, Pixel to, double width);
  void circle(std::string_view look, Pixel centre, double radius);
  void rectangle(std::string_view look, Pixel corner, double width, double height);
  // turned by degrees, clockwise on the page
  void text(std::string_view look, Pixel at, std::string_view text, Anchor anchor = Anchor::kStart,
            double turned_deg = 0);
  // A filled head of an arrow: its tip, and the direction it points along (unit).
  void arrow_head(std::string_view look, Pixel tip, Pixel direction, double length);
  void begin_group(std::string_view id);
  void end_group();
  [[nodiscard]] std::string finish() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace taut::tool
