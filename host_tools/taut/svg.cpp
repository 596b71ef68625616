#include "host_tools/taut/svg.h"

#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr int kDecimals = 2;

std::string number(double value) {
  return fixed(value, kDecimals);
}

std::string pair(Pixel p) {
  return number(p.x) + "," + number(p.y);
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string attribute(std::string_view name, double value) {
  return attribute(name, number(value));
}

// XML has no letters below a blank but tab and line ends: they become '?'.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return result;
}

}  // namespace

PathData& PathData::move(Pixel to) {
  text_ += "M" + pair(to);
  return *this;
}

PathData& PathData::line(Pixel to) {
  text_ += "L" + pair(to);
  return *this;
}

PathData& PathData::curve(Pixel control, Pixel to) {
  text_ += "Q" + pair(control) + " " + pair(to);
  return *this;
}

PathData& PathData::arc(double radius, bool large, bool clockwise, Pixel to) {
  text_ += "A" + number(radius) + "," + number(radius) + " 0 " + (large ? "1" : "0") + " " +
           (clockwise ? "1" : "0") + " " + pair(to);
  return *this;
}

PathData& PathData::close() {
  text_ += "Z";
  return *this;
}

Svg::Svg(double width, double height, std::string_view style, std::string_view title)
    : body_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg") {
  body_ += attribute("xmlns", "http://www.w3.org/2000/svg") + attribute("version", "1.1") +
           attribute("width", width) + attribute("height", height) +
           attribute("viewBox", "0 0 " + number(width) + " " + number(height)) + ">\n";
  body_ += "<title>" + escaped(title) + "</title>\n";
  body_ += "<style type=\"text/css\"><![CDATA[" + std::string(style) + "]]></style>\n";
}

void Svg::path(std::string_view look, const PathData& data) {
  body_ += "<path" + attribute("class", look) + attribute("d", data.text()) + "/>\n";
}

void Svg::line(std::string_view look, Pixel from, Pixel to) {
  body_ += "<line" + attribute("class", look) + attribute("x1", from.x) + attribute("y1", from.y) +
           attribute("x2", to.x) + attribute("y2", to.y) + "/>\n";
}

void Svg::wide_line(std::string_view look, Pixel from, Pixel to, double width) {
  body_ += "<line" + attribute("class", look) + attribute("stroke-width", width) +
           attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + "/>\n";
}

void Svg::circle(std::string_view look, Pixel centre, double radius) {
  body_ += "<circle" + attribute("class", look) + attribute("cx", centre.x) +
           attribute("cy", centre.y) + attribute("r", radius) + "/>\n";
}

void Svg::rectangle(std::string_view look, Pixel corner, double width, double height) {
  body_ += "<rect" + attribute("class", look) + attribute("x", corner.x) +
           attribute("y", corner.y) + attribute("width", width) + attribute("height", height) +
           "/>\n";
}

void Svg::text(std::string_view look, Pixel at, std::string_view text, Anchor anchor,
               double turned_deg) {
  const char* const anchors[] = {"start", "middle", "end"};
  body_ += "<text" + attribute("class", look) + attribute("x", at.x) + attribute("y", at.y) +
           attribute("text-anchor", anchors[static_cast<std::size_t>(anchor)]);
  if (turned_deg != 0) {
    body_ += attribute("transform", "rotate(" + number(turned_deg) + " " + pair(at) + ")");
  }
  body_ += ">" + escaped(text) + "</text>\n";
}

void Svg::arrow_head(std::string_view look, Pixel tip, Pixel direction, double length) {
  constexpr double kHalfWidth = 0.32;  // of the length
  const Pixel back{tip.x - length * direction.x, tip.y - length * direction.y};
  const Pixel side{-direction.y * length * kHalfWidth, direction.x * length * kHalfWidth};
  path(look, PathData()
                 .move(tip)
                 .line({back.x + side.x, back.y + side.y})
                 .line({back.x - side.x, back.y - side.y})
                 .close());
}

void Svg::begin_group(std::string_view id) {
  body_ += "<g" + attribute("id", id) + ">\n";
}

void Svg::end_group() {
  body_ += "</g>\n";
}

}  // namespace taut::tool
