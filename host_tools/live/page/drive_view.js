// The drive, drawn to scale and moving: sprockets and bars as an SVG that the server drew, links,
// forces and the arm on a canvas above it.

import { css, line, on_theme, tension, unit_of } from "./looks.js";

const ARROW_PX = 34;  // at the drive's nominal tension; as long as in the legend

const round_up = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value);
};

export class DriveView {
  constructor(about, svg_text) {
    this.about = about;
    this.scene = document.getElementById("scene");
    const svg = document.importNode(
      new DOMParser().parseFromString(svg_text, "image/svg+xml").documentElement, true);
    svg.querySelector("style")?.remove();
    svg.querySelector("title")?.remove();
    this.width = svg.viewBox.baseVal.width;
    this.height = svg.viewBox.baseVal.height;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    this.canvas = document.createElement("canvas");
    this.scene.replaceChildren(svg, this.canvas);
    this.scene.style.aspectRatio = `${this.width} / ${this.height}`;
    this.groups = about.sprockets.map((_, i) => svg.querySelector(`#sprocket_${i + 1}`));
    this.unit = unit_of("N", about.pretension_N);
    this.full_N = round_up(2 * about.pretension_N);
    this.most_N = 0;
    this.draw_legend();
    on_theme(() => this.draw_legend());
  }

  // The scale grows at once and shrinks by and by, in steps: colours stay comparable.
  fit_scale(frame) {
    this.most_N = Math.max(0.995 * this.most_N, ...frame.link_N);
    const wanted = round_up(Math.max(this.most_N, 2 * this.about.pretension_N));
    if (wanted > this.full_N || 1.2 * this.most_N < wanted && wanted < this.full_N) {
      this.full_N = wanted;
      this.draw_legend();
    }
  }

  draw_legend() {
    const stops = Array.from({ length: 11 }, (_, i) => `${tension(i / 10)} ${10 * i}%`);
    document.getElementById("ramp").style.background = `linear-gradient(to right, ${stops.join(",")})`;
    const ticks = document.getElementById("ramp_ticks");
    ticks.replaceChildren(...[0, 0.5, 1].map((part) => {
      const tick = document.createElement("span");
      tick.textContent = String(part * this.full_N * this.unit.factor);
      return tick;
    }));
    ticks.lastChild.textContent += ` ${this.unit.text} in links`;
    document.getElementById("arrow_note").textContent =
      `force on teeth, ${this.about.pretension_N * this.unit.factor} ${this.unit.text}`;
  }

  turn_sprockets(frame) {
    frame.turned_rad.forEach((turned_rad, i) => {
      const [x, y] = this.about.sprockets[i].at;
      const arm = this.about.arm;
      let moved = "";
      if (arm && arm.sprocket === i + 1) {
        const [to_x, to_y] = this.around_pivot(this.about.sprockets[i].at, frame.arm_rad);
        moved = `translate(${(to_x - x).toFixed(2)} ${(to_y - y).toFixed(2)}) `;
      }
      this.groups[i].setAttribute(
        "transform", `${moved}rotate(${(-turned_rad * 180 / Math.PI).toFixed(3)} ${x} ${y})`);
    });
  }

  around_pivot([x, y], angle_rad) {
    const [px, py] = this.about.arm.pivot;
    const cos = Math.cos(angle_rad);
    const sin = Math.sin(angle_rad);
    return [px + cos * (x - px) + sin * (y - py), py - sin * (x - px) + cos * (y - py)];
  }

  draw(frame) {
    this.fit_scale(frame);
    this.turn_sprockets(frame);
    const note = `to scale; sideways × ${frame.exaggeration}` +
      (this.about.arm ? `, arm × ${this.about.arm_exaggeration}` : "");
    if (this.note !== note) {
      this.note = note;
      document.getElementById("scale_note").textContent = note;
    }
    const sharp = window.devicePixelRatio || 1;
    const wide = Math.round(this.scene.clientWidth * sharp);
    const high = Math.round(this.scene.clientHeight * sharp);
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
    }
    const to = this.canvas.getContext("2d");
    const scale = wide / this.width;
    this.point = sharp / scale;  // a CSS pixel in those of the drawing
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.clearRect(0, 0, wide, high);
    to.setTransform(scale, 0, 0, scale, 0, 0);
    this.draw_arm(to, frame);
    this.draw_arrows(to, frame);
    this.draw_links(to, frame);
    this.draw_gauge(to, frame);
    this.draw_strand_names(to);
  }

  draw_links(to, frame) {
    const links = this.about.links;
    const width = Math.max(1.5 * this.about.roller_px, 3 * this.point);
    const along = (i) => {
      to.moveTo(...frame.rollers[(i + links - 1) % links]);
      to.lineTo(...frame.rollers[i]);
    };
    to.lineCap = "round";
    to.strokeStyle = css("--casing");
    to.lineWidth = width + 1.6 * this.point;
    to.beginPath();
    for (let i = 0; i < links; i += 1) {
      along(i);
    }
    to.stroke();
    to.lineWidth = width;
    for (let i = 0; i < links; i += 1) {
      to.strokeStyle = tension(frame.link_N[i] / this.full_N);
      to.beginPath();
      along(i);
      to.stroke();
    }
    to.fillStyle = css("--pin");
    to.beginPath();
    for (const [x, y] of frame.rollers) {
      to.moveTo(x, y);
      to.arc(x, y, 0.3 * width, 0, 7);
    }
    to.fill();
  }

  // From each roller into the tooth it presses on.
  draw_arrows(to, frame) {
    const px_N = ARROW_PX * this.point / this.about.pretension_N;
    to.strokeStyle = to.fillStyle = css("--arrow");
    to.lineWidth = 1.4 * this.point;
    to.lineCap = "butt";
    for (let i = 0; i < this.about.links; i += 1) {
      const length = frame.tooth_N[i] * px_N;
      if (length < 3 * this.point) {
        continue;
      }
      const [x, y] = frame.rollers[i];
      const cos = Math.cos(frame.press_rad[i]);
      const sin = Math.sin(frame.press_rad[i]);
      const begin = this.about.roller_px;
      const end = begin + length;
      const head = Math.min(4 * this.point, length);
      to.beginPath();
      to.moveTo(x + begin * cos, y + begin * sin);
      to.lineTo(x + (end - head) * cos, y + (end - head) * sin);
      to.stroke();
      to.beginPath();
      to.moveTo(x + end * cos, y + end * sin);
      to.lineTo(x + (end - head) * cos - 0.5 * head * sin, y + (end - head) * sin + 0.5 * head * cos);
      to.lineTo(x + (end - head) * cos + 0.5 * head * sin, y + (end - head) * sin - 0.5 * head * cos);
      to.fill();
    }
  }

  draw_arm(to, frame) {
    const arm = this.about.arm;
    if (!arm) {
      return;
    }
    const axle = this.around_pivot(this.about.sprockets[arm.sprocket - 1].at, frame.arm_rad);
    const spring = this.around_pivot(arm.spring, frame.arm_rad);
    to.strokeStyle = css("--arm");
    to.lineCap = to.lineJoin = "round";
    to.lineWidth = 6 * this.point;
    to.beginPath();
    to.moveTo(...arm.pivot);
    to.lineTo(...axle);
    to.lineTo(...spring);
    to.stroke();
    this.draw_spring(to, spring, arm.ground);
    to.fillStyle = css("--panel");
    to.lineWidth = 1.6 * this.point;
    for (const [x, y] of [arm.pivot, axle, spring, arm.ground]) {
      to.beginPath();
      to.arc(x, y, 3.5 * this.point, 0, 7);
      to.fill();
      to.stroke();
    }
  }

  draw_spring(to, [x0, y0], [x1, y1]) {
    const turns = 16;
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const [nx, ny] = [-(y1 - y0) / length, (x1 - x0) / length];
    to.lineWidth = 1.4 * this.point;
    to.beginPath();
    to.moveTo(x0, y0);
    for (let i = 0; i <= turns; i += 1) {
      const part = 0.15 + 0.7 * i / turns;
      const aside = (i === 0 || i === turns ? 0 : i % 2 ? 1 : -1) * 5 * this.point;
      to.lineTo(x0 + part * (x1 - x0) + aside * nx, y0 + part * (y1 - y0) + aside * ny);
    }
    to.lineTo(x1, y1);
    to.stroke();
  }

  draw_gauge(to, frame) {
    const links = this.about.links;
    if (frame.tagged_link >= links) {
      return;
    }
    const [x0, y0] = frame.rollers[(frame.tagged_link + links - 1) % links];
    const [x1, y1] = frame.rollers[frame.tagged_link];
    to.lineWidth = 2.4 * this.point;
    to.strokeStyle = css("--gauge");
    to.beginPath();
    to.arc((x0 + x1) / 2, (y0 + y1) / 2, 9 * this.point + this.about.roller_px, 0, 7);
    to.stroke();
  }

  draw_strand_names(to) {
    to.font = `600 ${12 * this.point}px Inter, system-ui, sans-serif`;
    to.textAlign = "center";
    to.textBaseline = "middle";
    this.about.strands.forEach((strand, i) => {
      // Inside of the loop, where there is room.
      const x = strand.at[0] - 20 * this.point * strand.out[0];
      const y = strand.at[1] - 20 * this.point * strand.out[1];
      to.fillStyle = css("--panel");
      to.strokeStyle = line(i);
      to.lineWidth = 1.6 * this.point;
      to.beginPath();
      to.arc(x, y, 9.5 * this.point, 0, 7);
      to.fill();
      to.stroke();
      to.fillStyle = css("--text");
      to.fillText(String(i + 1), x, y + 0.5 * this.point);
    });
  }
}
