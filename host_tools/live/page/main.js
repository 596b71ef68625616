// Connects to the server and draws what comes: the picture as often as it comes, plots half as
// often.

import { Controls } from "./controls.js";
import { DriveView } from "./drive_view.js";
import { decode } from "./frame.js";
import { Health, set_badge } from "./health.js";
import { History } from "./history.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";

const by_id = (id) => document.getElementById(id);
const KEPT_EVENTS = 100;

const player = new Player();
let page = null;  // all that belongs to one run of the server

async function load() {
  const [about, svg] = await Promise.all([fetch("drive.json").then((reply) => reply.json()),
                                          fetch("drive.svg").then((reply) => reply.text())]);
  if (page?.about.session === about.session) {
    return;
  }
  const first = page === null || JSON.stringify(page.about.signals) !== JSON.stringify(about.signals);
  by_id("drive").textContent = about.drive;
  document.title = `Taut live: ${about.drive}`;
  by_id("events").replaceChildren();
  const plots = first ? new Plots(about, player) : page.plots;
  page = { about, history: new History(about), view: new DriveView(about, svg), plots,
           health: new Health(about), controls: new Controls(about), drawn_s: -1, count: 0,
           rpm: about.signals.findIndex(({ key }) => key === "predicted.crank_speed_rad_s") };
  player.history = page.history;
  player.go_live();
}

function add_event({ time_s, kind, text }) {
  const item = document.createElement("li");
  item.className = kind;
  item.dataset.time = String(time_s);
  const time = document.createElement("time");
  time.textContent = `${time_s.toFixed(1)} s`;
  const words = document.createElement("span");
  words.textContent = text;
  item.append(time, words);
  by_id("events").prepend(item);
  while (by_id("events").children.length > KEPT_EVENTS) {
    by_id("events").lastChild.remove();
  }
}

function draw() {
  window.requestAnimationFrame(draw);
  if (!page?.history.frames.length) {
    return;
  }
  const { history, about } = page;
  const { end_s, from_s, is_live } = player.moment();
  const what = `${end_s} ${from_s}`;
  if (what === page.drawn) {
    return;
  }
  page.drawn = what;
  const frame = history.frame_at(end_s);
  page.view.draw(frame);
  page.count += 1;
  if (!is_live || page.count % 2 === 0) {
    page.plots.show(history, from_s, end_s);
  }
  page.health.show(frame);
  by_id("rpm").textContent = `${(history.mean(page.rpm, end_s - 1, end_s) * 30 / Math.PI).toFixed(1)} rpm`;
  by_id("time").textContent = `${end_s.toFixed(1)} s`;
  by_id("pace").textContent = `× ${frame.pace.toFixed(2)}`;
  by_id("pace").classList.toggle("slow", frame.pace < 0.97);
  document.body.dataset.time = end_s.toFixed(3);
  document.body.dataset.health = String(frame.health);
  document.body.dataset.links = String(about.links);
}

function connect() {
  const stream = new EventSource("events");
  let ready = null;
  stream.addEventListener("open", () => {
    ready = load().catch(() => set_badge("waiting", "no answer"));
  });
  const when_ready = (action) => (event) => ready?.then(() => page && action(event.data));
  stream.addEventListener("frame", when_ready((data) => {
    const frame = decode(data, page.about);
    if (player.takes(frame.time_s)) {
      page.history.add(frame);
    }
  }));
  stream.addEventListener("state", when_ready((data) => {
    const state = JSON.parse(data);
    page.controls.show(state);
    if (state.preparing && !page.history.frames.length) {
      set_badge("waiting", `making the ${state.preparing} twin`);
    }
  }));
  stream.addEventListener("note", when_ready((data) => add_event(JSON.parse(data))));
  stream.addEventListener("error", () => {
    set_badge("waiting", "not connected");
    document.body.dataset.health = "";
    by_id("events").replaceChildren();  // they come again
    if (stream.readyState === EventSource.CLOSED) {
      window.setTimeout(connect, 1000);
    }
  });
}

connect();
draw();
