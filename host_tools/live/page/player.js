// Which moment is shown: now, or one of the last minute.

const SPAN_S = 2;  // that is shown, to begin with
const by_id = (id) => document.getElementById(id);

export class Player {
  constructor() {
    this.end_s = null;  // null: now
    this.span_s = SPAN_S;
    this.history = null;
    by_id("pause").addEventListener("click", () => (this.end_s === null ? this.stop_at(0) : this.go_live()));
    by_id("back").addEventListener("input", (event) => this.stop_at(Number(event.target.value)));
    by_id("span").addEventListener("change", (event) => { this.span_s = Number(event.target.value); });
    window.addEventListener("keydown", (event) => this.on_key(event));
  }

  on_key(event) {
    if (event.target.closest("input, select, button, summary") ||
        event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const back_s = this.end_s === null ? 0 : this.end_s - this.history.last_s;
    const step_s = event.shiftKey ? 5 : 0.5;
    const actions = {
      " ": () => by_id("pause").click(),
      ArrowLeft: () => this.stop_at(back_s - step_s),
      ArrowRight: () => this.stop_at(back_s + step_s),
      "+": () => this.zoom_by(0.5),
      "-": () => this.zoom_by(2),
      Escape: () => this.go_live(),
    };
    if (this.history && actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  stop_at(back_s) {
    if (!this.history?.frames.length) {
      return;
    }
    const { first_s, last_s } = this.history;
    this.end_s = Math.min(last_s, Math.max(first_s, last_s + back_s));
  }

  zoom_by(factor) {
    this.set_span(Math.min(60, Math.max(0.1, this.span_s * factor)));
  }

  zoom_to(from_s, to_s) {
    this.end_s = to_s;
    this.set_span(Math.max(0.02, to_s - from_s));
  }

  set_span(span_s) {
    this.span_s = span_s;
    const select = by_id("span");
    const known = [...select.options].find((option) => Number(option.value) === span_s && !option.dataset.own);
    select.querySelector("[data-own]")?.remove();
    if (!known) {
      const own = new Option(`${Number(span_s.toPrecision(2))} s`, span_s, false, true);
      own.dataset.own = "yes";
      select.add(own);
    }
    select.value = String(span_s);
  }

  go_live() {
    this.end_s = null;
    this.set_span(SPAN_S);
  }

  // Whether a frame of this time is to be kept: not so many that what is looked at would be lost.
  takes(time_s) {
    return this.end_s === null || time_s < this.end_s + 60;
  }

  // What to draw now.
  moment() {
    const { last_s } = this.history;
    const end_s = this.end_s ?? last_s;
    const is_live = this.end_s === null;
    by_id("pause").textContent = is_live ? "Pause" : "Live";
    by_id("pause").setAttribute("aria-pressed", String(!is_live));
    by_id("back").value = String(end_s - last_s);
    by_id("back_s").textContent = is_live ? "now" : `${(end_s - last_s).toFixed(1)} s`;
    return { end_s, from_s: end_s - this.span_s, is_live };
  }
}
