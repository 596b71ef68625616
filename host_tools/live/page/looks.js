// Colours of lines and of tension, for light and dark, apart for every eye (Okabe and Ito; viridis).

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const on_theme = (redo) => dark.addEventListener("change", redo);

const LIGHT = ["#0072b2", "#d55e00", "#007a5a", "#b0568b", "#b07900", "#3a3a3a", "#4a90c2", "#777777"];
const DARK = ["#56b4e9", "#ff8a3d", "#2fd0a5", "#e39bc8", "#f0c04a", "#e8e8e8", "#9fd3f5", "#a0a0a0"];

export const line = (index) => (dark.matches ? DARK : LIGHT)[index % LIGHT.length];

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Viridis, without its darkest end on dark ground and its brightest on light ground.
const VIRIDIS = ["#440154", "#472f7d", "#39568c", "#2a788e", "#1f988b", "#35b779", "#7ad151", "#bddf26", "#fde725"]
  .map((text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)));

export function tension(part) {
  const within = Math.min(1, Math.max(0, part));
  const place = (dark.matches ? 0.18 + 0.82 * within : 0.93 * within) * (VIRIDIS.length - 1);
  const i = Math.min(Math.floor(place), VIRIDIS.length - 2);
  const mixed = VIRIDIS[i].map((low, k) => Math.round(low + (place - i) * (VIRIDIS[i + 1][k] - low)));
  return `rgb(${mixed.join(",")})`;
}

// As engineers write them: kN and mm where the numbers ask for it.
export function unit_of(unit, typical) {
  if (unit === "N") {
    return typical >= 2000 ? { text: "kN", factor: 1e-3 } : { text: "N", factor: 1 };
  }
  return unit === "m" ? { text: "mm", factor: 1e3 } : { text: unit, factor: 1 };
}
