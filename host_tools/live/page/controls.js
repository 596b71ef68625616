// Commands to the bench and the twin, and what acts on them now.

import { spaced } from "./health.js";

const by_id = (id) => document.getElementById(id);

const option = (value) => new Option(value.replaceAll("_", " "), value);

export class Controls {
  constructor(about) {
    this.about = about;
    this.token = window.location.hash.slice(1);
    const { bench } = about;
    by_id("speed").max = String(Math.floor(bench.most_rpm));
    by_id("speed").min = String(Math.ceil(0.1 * bench.most_rpm));
    by_id("excitation").max = String(Math.min(3, bench.most_excitation));
    by_id("tag").max = String(about.links);
    for (const id of ["speed", "excitation"]) {
      by_id(id).disabled = !bench.has_engine;
    }
    by_id("fault_sensor").replaceChildren(...Object.keys(bench.faults).map(option));
    by_id("damage_kind").replaceChildren(...Object.keys(bench.damages).map(option));
    this.fill_kinds();
    this.fill_damage();
    this.make_models();
    if (!Controls.listening) {
      this.listen();
      Controls.listening = true;
    }
    Controls.now = this;
    if (!this.token) {
      this.lock("watching only: steering needs the whole address that taut live printed");
    }
  }

  lock(why) {
    by_id("steering").disabled = true;
    this.answer(why, true);
  }

  answer(text, is_bad = false) {
    by_id("answer").textContent = text;
    by_id("answer").classList.toggle("bad", is_bad);
  }

  async send(command) {
    try {
      const reply = await fetch("command", {
        method: "POST", body: JSON.stringify(command),
        headers: { "Content-Type": "application/json", "X-Taut-Token": this.token },
      });
      const text = (await reply.text()).trim();
      if (reply.status === 403) {
        this.lock("this page is of an earlier run: open the address that taut live printed");
      } else {
        this.answer(reply.ok ? "" : text, !reply.ok);
      }
    } catch {
      this.answer("not connected", true);
    }
  }

  // Once: a server that starts again brings new controls to the same page.
  listen() {
    const now = () => Controls.now;
    const on = (id, event, action) => by_id(id).addEventListener(event, () => action(now()));
    const value = (id) => Number(by_id(id).value);
    on("speed", "change", (it) => it.send({ do: "speed", rpm: value("speed") }));
    on("speed", "input", (it) => it.show_sliders());
    on("excitation", "change", (it) => it.send({ do: "excitation", factor: value("excitation") }));
    on("excitation", "input", (it) => it.show_sliders());
    on("tag_set", "click", (it) => it.send({ do: "tag", link: value("tag") }));
    on("fault_sensor", "change", (it) => it.fill_kinds());
    on("fault_kind", "change", (it) => it.fill_size());
    on("fault_inject", "click", (it) => it.send({ do: "fault", sensor: by_id("fault_sensor").value,
                                                  kind: by_id("fault_kind").value, size: value("fault_size") }));
    on("damage_kind", "change", (it) => it.fill_damage());
    on("damage_inject", "click", (it) => it.send({ do: "damage", kind: by_id("damage_kind").value,
                                                   number: value("damage_number"), size: value("damage_size") }));
  }

  fill_kinds() {
    const before = by_id("fault_kind").value;
    const kinds = Object.keys(this.about.bench.faults[by_id("fault_sensor").value]);
    by_id("fault_kind").replaceChildren(...kinds.map(option));
    by_id("fault_kind").value = kinds.includes(before) ? before : kinds[0];
    this.fill_size();
  }

  fill_size() {
    const rule = this.about.bench.faults[by_id("fault_sensor").value][by_id("fault_kind").value];
    this.fill(rule, "fault_size", "fault_unit");
  }

  fill_damage() {
    const rule = this.about.bench.damages[by_id("damage_kind").value];
    this.fill(rule, "damage_size", "damage_unit");
    by_id("damage_number").disabled = rule.most_number === 0;
    by_id("damage_number").max = String(rule.most_number);
  }

  fill(rule, size, unit) {
    by_id(size).disabled = !rule.needed;
    by_id(size).value = rule.needed ? String(rule.size) : "";
    by_id(unit).textContent = rule.needed ? rule.unit : "has no size";
    by_id(size).title = rule.needed ? `${rule.lowest} to ${rule.highest} ${rule.unit}` : "";
  }

  make_models() {
    by_id("models").replaceChildren(...this.about.models.map((model) => {
      const button = document.createElement("button");
      button.dataset.model = model;
      button.textContent = model;
      button.addEventListener("click", () => this.send({ do: "model", model }));
      return button;
    }));
  }

  show_sliders() {
    by_id("speed_now").textContent = `${by_id("speed").value} rpm`;
    by_id("excitation_now").textContent = `× ${Number(by_id("excitation").value).toFixed(2)}`;
  }

  show(state) {
    const set = (id, value) => {
      if (document.activeElement !== by_id(id)) {
        by_id(id).value = String(value);
      }
    };
    set("speed", state.speed_rpm);
    set("excitation", state.excitation);
    set("tag", state.tagged_link);
    this.show_sliders();
    for (const button of by_id("models").children) {
      const is_this = button.dataset.model === (state.preparing || state.model);
      button.setAttribute("aria-pressed", String(is_this));
      button.classList.toggle("busy", button.dataset.model === state.preparing);
    }
    by_id("machine").textContent = state.model ? `${state.model} twin on ${state.machine}` : "";
    by_id("timing").textContent = state.timing;
    by_id("faults").replaceChildren(...state.faults.map(({ number, text }) =>
      this.acting(text, "Clear", () => this.send({ do: "clear", fault: number }))));
    if (state.faults.length > 1) {
      by_id("faults").append(this.acting("", "Clear all", () => this.send({ do: "clear_all" })));
    }
    by_id("damages").replaceChildren(...state.damages.map((text) => this.acting(text)));
  }

  acting(text, label, action) {
    const item = document.createElement("li");
    const words = document.createElement("span");
    words.textContent = spaced(text);
    item.append(words);
    if (label) {
      const button = document.createElement("button");
      button.textContent = label;
      button.setAttribute("aria-label", `${label} ${text}`.trim());
      button.addEventListener("click", action);
      item.append(button);
    }
    return item;
  }
}
