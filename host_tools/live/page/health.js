// What the twin says of itself.

const by_id = (id) => document.getElementById(id);
const TRUST = [["valid", "✓ valid"], ["degraded", "◐ degraded"], ["invalid", "✕ invalid"]];
const QUALITY = [["good", "✓ good"], ["held", "◐ held"], ["modelled", "◐ modelled"], ["missing", "✕ missing"]];
const DOUBTED = ["doubted", "◐ doubted"];  // its channel finds nothing, the twin does
const SYNC = ["searching", "synced", "coasting", "lost"];

export const spaced = (name) => name.replace(/_(rad_s2|m_s2|N|m)$/, "").replaceAll("_", " ");

const short_time = (time_s) => (time_s < 1e-3 ? `${(time_s * 1e6).toFixed(1)} µs`
  : `${(time_s * 1e3).toFixed(1)} ms`);

function set(id, text) {
  const element = by_id(id);
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function set_badge(look, text) {
  const badge = by_id("badge");
  badge.className = `badge ${look}`;
  set("badge", text);
}

export class Health {
  constructor(about) {
    this.about = about;
    this.bits = about.sensors.map(({ name }) =>
      about.health.find(({ text }) => text === `${spaced(name)} bad`).bit);
    this.rows = about.sensors.map((sensor) => {
      const row = document.createElement("tr");
      row.title = sensor.help;
      row.innerHTML = "<th scope=row></th><td></td><td class=number></td>";
      row.children[0].textContent = spaced(sensor.name);
      row.dataset.sensor = spaced(sensor.name);
      return row;
    });
    by_id("sensors").replaceChildren(...this.rows);
    this.word = null;
  }

  reasons_of(word) {
    return this.about.health.filter(({ bit }) => (word & bit) !== 0).map(({ text }) => text);
  }

  show(frame) {
    const [look, text] = TRUST[Math.min(frame.health & 3, 2)];
    set_badge(look, text);
    if (frame.health !== this.word) {
      this.word = frame.health;
      const reasons = this.reasons_of(frame.health);
      by_id("reasons").replaceChildren(...(reasons.length ? reasons : ["nothing to report"]).map((reason) => {
        const chip = document.createElement("li");
        chip.textContent = reason;
        chip.className = reasons.length ? look : "quiet";
        return chip;
      }));
    }
    frame.sensors.forEach(({ age_ticks, quality }, i) => {
      const is_doubted = quality === 0 && (frame.health & this.bits[i]) !== 0;
      const [name, words] = is_doubted ? DOUBTED : QUALITY[Math.min(quality, 3)];
      const [, state, age] = this.rows[i].children;
      this.rows[i].className = name;
      if (state.textContent !== words) {
        state.textContent = words;
      }
      const age_ms = age_ticks * this.about.tick_s * 1e3;
      age.textContent = quality === 3 ? "–" : age_ms >= 1e4 ? `${(age_ms / 1e3).toFixed(0)} s` : `${age_ms.toFixed(1)} ms`;
    });
    set("sync", SYNC[frame.sync] ?? "–");
    set("edges_lost", String(frame.edges_lost));
    set("last_tick", short_time(frame.last_tick_s));
    set("worst_tick", short_time(frame.worst_tick_s));
    set("overruns", String(frame.overruns));
    set("latched", this.reasons_of(frame.latched).join(", ") || "nothing");
  }
}
