#include "host_tools/taut/toml_value.h"

#include <sstream>

#include "host_tools/taut/text.h"

namespace taut::tool {

RawValue to_raw(const toml::node& node, Origin origin) {
  RawValue value;
  value.origin = std::move(origin);
  if (const auto* integer = node.as_integer()) {
    value.kind = RawValue::Kind::kInteger;
    value.number = static_cast<double>(integer->get());
    value.shown = std::to_string(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = RawValue::Kind::kReal;
    value.number = real->get();
    value.shown = general(value.number);
  } else if (const auto* text = node.as_string()) {
    value.kind = RawValue::Kind::kText;
    value.text = text->get();
    value.shown = "\"" + value.text + "\"";
  } else if (const auto* truth = node.as_boolean()) {
    value.text = "true or false";
    value.shown = truth->get() ? "true" : "false";
  } else if (node.is_array()) {
    value.text = "a list";
    value.shown = "[...]";
  } else if (node.is_table()) {
    value.text = "a table";
    value.shown = "{...}";
  } else {
    value.text = "a date or a time";
    value.shown = "...";
  }
  return value;
}

}  // namespace taut::tool
