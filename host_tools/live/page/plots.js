// Time plots and the spectrum, by uPlot. What they show is chosen here; names, units and ranges
// come with the signals.

import { css, line, on_theme, unit_of } from "./looks.js";

const MOST_POINTS = 1600;
// Title and legend, which has two lines on a phone.
const around_px = () => (window.innerWidth < 760 ? 66 : 46);

const spec_of_plots = (about) => [
  {
    id: "plot_link", title: "Tagged link", what: "force",
    lines: [{ key: "measured.link_force_N", label: "measured", colour: 1 },
            { key: "predicted.tagged_link_N", label: "predicted", colour: 0 },
            { label: "residual", colour: 2, dash: [5, 3], of: [1, 0] }],
  },
  {
    id: "plot_strands", title: "Strands", what: "mean tension",
    lines: about.strands.map((_, i) => ({ key: `predicted.strand_mean_N[${i + 1}]`,
                                          label: `strand ${i + 1}`, colour: i })),
  },
  {
    id: "plot_tightener", title: "Tightener", what: "place",
    lines: [{ key: "measured.tightener_position_m", label: "measured", colour: 1 },
            { key: "predicted.tightener_position_m", label: "predicted", colour: 0 }],
  },
];

const number = (digits) => (_, value) => (value == null || Number.isNaN(value) ? "–" : value.toFixed(digits));

function axis(label, size) {
  return {
    label, size, labelSize: 18, gap: 4, stroke: css("--soft"), font: "11px Inter, system-ui, sans-serif",
    labelFont: "11px Inter, system-ui, sans-serif", grid: { stroke: css("--grid"), width: 1 },
    ticks: { stroke: css("--grid"), width: 1, size: 4 },
  };
}

function base(host, title, x_label, y_label) {
  return {
    title, width: host.clientWidth, height: host.clientHeight - around_px(),
    padding: [9, 12, 0, 0],
    scales: { x: { time: false } },
    axes: [axis(x_label, 30), axis(y_label, 46)],
    legend: { live: true, markers: { width: 2 } },
    focus: { alpha: 0.4 },
  };
}

class TimePlot {
  constructor(spec, about, player) {
    this.host = document.getElementById(spec.id);
    this.player = player;
    this.indices = spec.lines.filter((one) => one.key)
      .map((one) => about.signals.findIndex((signal) => signal.key === one.key));
    const signal = about.signals[this.indices[0]];
    this.unit = unit_of(signal.unit, about.pretension_N);
    this.spec = spec;
    this.host.addEventListener("dblclick", () => this.player.go_live());
    this.make();
  }

  make() {
    this.plot?.destroy();
    const { spec, unit } = this;
    const digits = unit.text === "mm" ? 2 : 1;
    const options = base(this.host, spec.title, "time [s]", `${spec.what} [${unit.text}]`);
    options.cursor = { sync: { key: "time" }, drag: { x: true, y: false, setScale: false }, focus: { prox: 24 } };
    options.series = [{ label: "time", value: (_, v) => (v == null ? "–" : `${v.toFixed(3)} s`) },
      ...spec.lines.map((one) => ({
        label: one.label, stroke: line(one.colour), width: 1.4, dash: one.dash, points: { show: false },
        spanGaps: false, value: (_, v) => `${number(digits)(_, v)} ${v == null ? "" : unit.text}`,
      }))];
    options.hooks = {
      setSelect: [(plot) => {
        if (plot.select.width > 4) {
          const left = plot.posToVal(plot.select.left, "x");
          const right = plot.posToVal(plot.select.left + plot.select.width, "x");
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          this.player.zoom_to(left, right);
        }
      }],
    };
    this.plot = new uPlot(options, [[], ...spec.lines.map(() => [])], this.host);
  }

  show(history, from_s, to_s) {
    const columns = history.columns(from_s, to_s, this.indices, MOST_POINTS);
    const scaled = columns.map((column, k) => (k === 0 ? column
      : column.map((value) => (Number.isNaN(value) ? null : value * this.unit.factor))));
    for (const one of this.spec.lines) {
      if (one.of) {
        const [plus, minus] = one.of.map((i) => scaled[i + 1]);
        scaled.push(plus.map((value, i) => (value == null || minus[i] == null ? null : value - minus[i])));
      }
    }
    this.plot.batch(() => {
      this.plot.setData(scaled, true);
      this.plot.setScale("x", { min: from_s, max: to_s });
    });
    if (this.plot.cursor.idx == null && scaled[0].length) {
      this.plot.setLegend({ idx: scaled[0].length - 1 });  // no cursor: the latest values
    }
  }

  fit() {
    this.plot.setSize({ width: this.host.clientWidth, height: this.host.clientHeight - around_px() });
  }
}

class SpectrumPlot {
  constructor(about) {
    this.host = document.getElementById("plot_spectrum");
    this.unit = unit_of("N", about.pretension_N);
    this.bin_Hz = 1 / (about.row_s * about.spectrum_rows);
    this.window_s = about.row_s * about.spectrum_rows;
    this.make();
  }

  make() {
    this.plot?.destroy();
    const { unit } = this;
    const options = base(this.host, `Spectrum of the tagged link, last ${this.window_s.toFixed(1)} s`,
                         "order [periods a turn]", `amplitude [${unit.text}]`);
    options.cursor = { drag: { x: true, y: false } };
    options.scales.y = { range: (_, low, high) => [0, high > 0 ? 1.08 * high : 1] };
    const value = (_, v) => `${number(2)(_, v)} ${v == null ? "" : unit.text}`;
    options.series = [{ label: "order", value: (_, v) => (v == null ? "–" : v.toFixed(2)) },
      { label: "measured", stroke: line(1), width: 1.4, points: { show: false }, value },
      { label: "predicted", stroke: line(0), width: 1.4, points: { show: false }, value }];
    this.plot = new uPlot(options, [[], [], []], this.host);
    this.shown = null;
  }

  show(frame) {
    if (!frame || frame === this.shown || !(frame.crank_Hz > 0.01)) {
      return;
    }
    const zoomed = this.shown && this.plot.scales.x.min > 0.01;
    this.shown = frame;
    const orders = frame.spectra[0].map((_, i) => i * this.bin_Hz / frame.crank_Hz);
    this.plot.setData([orders, ...frame.spectra.map((amplitudes) =>
      amplitudes.map((value) => (Number.isNaN(value) ? null : value * this.unit.factor)))], !zoomed);
    if (this.plot.cursor.idx == null) {  // no cursor: the highest peak
      const predicted = frame.spectra[1];
      this.plot.setLegend({ idx: predicted.indexOf(Math.max(...predicted)) });
    }
  }

  fit() {
    this.plot.setSize({ width: this.host.clientWidth, height: this.host.clientHeight - around_px() });
  }
}

export class Plots {
  constructor(about, player) {
    this.times = spec_of_plots(about).map((spec) => new TimePlot(spec, about, player));
    this.spectrum = new SpectrumPlot(about);
    const all = [...this.times, this.spectrum];
    on_theme(() => all.forEach((plot) => plot.make()));
    new ResizeObserver(() => all.forEach((plot) => plot.fit())).observe(this.times[0].host);
  }

  show(history, from_s, to_s) {
    this.times.forEach((plot) => plot.show(history, from_s, to_s));
    this.spectrum.show(history.spectrum_at(to_s));
  }
}
