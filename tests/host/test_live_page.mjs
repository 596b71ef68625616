// The live page in a real browser: what it shows, what it does, whom it refuses.
// TAUT: the program; NPM: folder of npm packages; SHOTS: where screenshots go; CHROMIUM: the browser.
// Times are the engine's, as the page tells them: a slow machine takes longer and fails no more.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

const { TAUT, NPM, SHOTS, CHROMIUM } = process.env;
const { chromium } = createRequire(import.meta.url)(path.join(NPM, "playwright-core"));
const PATIENCE_MS = 120_000;

fs.mkdirSync(SHOTS, { recursive: true });
const profile = fs.mkdtempSync(path.join(os.tmpdir(), "taut-live-"));

const step = (text) => console.log(`- ${text}`);

// A server that says where it is.
async function serve(port) {
  const taut = spawn(TAUT, ["live", "6s90mc-c", "--port", port],
                     { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const address = await new Promise((found, failed) => {
    taut.stdout.on("data", (text) => {
      said += text;
      const match = said.match(/live page: (\S+)/);
      if (match) {
        found(match[1]);
      }
    });
    taut.on("exit", (code) => failed(new Error(`taut live ended with ${code}: ${said}`)));
  });
  const url = new URL(address);
  return {
    url, token: url.hash.slice(1),
    stop: () => new Promise((done) => {
      taut.removeAllListeners("exit");
      taut.on("exit", (code) => done({ code, said }));
      taut.kill("SIGTERM");
    }),
  };
}

function ask(server, { method = "GET", place = "/", headers = {}, body = "" }) {
  return new Promise((done, failed) => {
    const request = http.request({ host: server.url.hostname, port: server.url.port, method,
                                   path: place, headers }, (reply) => {
      let text = "";
      reply.on("data", (part) => { text += part; });
      reply.on("end", () => done({ status: reply.statusCode, text, headers: reply.headers }));
    });
    request.on("error", failed);
    request.end(body);
  });
}

async function check_refusals(server) {
  const host = server.url.host;
  const command = { method: "POST", place: "/command", body: '{"do":"clear_all"}' };
  const status = async (what) => (await ask(server, what)).status;
  assert.equal(await status({}), 200);
  assert.equal(await status({ headers: { Host: "evil.example" } }), 403);
  assert.equal(await status({ headers: { Host: `evil.example:${server.url.port}` } }), 403);
  assert.equal(await status({ headers: { Host: host, Origin: "http://evil.example" } }), 403);
  assert.equal(await status({ place: "/events", headers: { Origin: "null" } }), 403);
  assert.equal(await status({ headers: { Host: host, Origin: `http://${host}` } }), 200);
  assert.equal(await status(command), 403);
  assert.equal(await status({ ...command, headers: { "X-Taut-Token": "0".repeat(32) } }), 403);
  assert.equal(await status({ ...command, headers: { "X-Taut-Token": server.token, Origin: "http://evil.example" } }), 403);
  const steer = (body) => ask(server, { ...command, body, headers: { "X-Taut-Token": server.token } });
  assert.equal((await steer(command.body)).status, 200);
  assert.equal((await steer("x".repeat(5000))).status, 413);
  assert.equal((await steer("{")).status, 400);
  const far = await steer('{"do":"speed","rpm":1000}');
  assert.equal(far.status, 400);
  assert.match(far.text, /allowed above 0 to/);
  for (const place of ["/page/", "/..", "/../../etc/passwd", "/main.js.map", "/%2e%2e/taut"]) {
    assert.equal(await status({ place }), 404, place);
  }
  const page = await ask(server, {});
  assert.match(page.headers["content-security-policy"], /default-src 'none'/);
  assert.ok(!page.text.includes(server.token), "the token is in the address only");
}

// Eight pages may watch; one does.
async function check_streams(server) {
  const streams = await Promise.all(Array.from({ length: 8 }, () => new Promise((done, failed) => {
    const request = http.get({ host: server.url.hostname, port: server.url.port, path: "/events",
                               agent: false }, (reply) => done({ request, status: reply.statusCode }));
    request.on("error", failed);
  })));
  streams.forEach(({ request }) => request.on("error", () => {}).destroy());
  const statuses = streams.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 503]);
}

const time_of = (page) => page.evaluate(() => Number(document.body.dataset.time ?? "NaN"));
const advanced = (page, from_s, by_s) => page.waitForFunction(
  ([from, by]) => Number(document.body.dataset.time) > from + by, [from_s, by_s],
  { timeout: PATIENCE_MS });
const badge = (page, look) => page.waitForSelector(`#badge.${look}`, { timeout: PATIENCE_MS });

async function check_plots(page) {
  assert.equal(await page.locator(".uplot").count(), 4);
  const pictures = () => page.evaluate(() =>
    [...document.querySelectorAll(".uplot canvas, #scene canvas")].map((canvas) => canvas.toDataURL()));
  await page.waitForFunction(() => document.querySelector("#plot_spectrum .uplot canvas"));
  const before = await pictures();
  await advanced(page, await time_of(page), 1.2);
  const after = await pictures();
  before.forEach((picture, i) => assert.notEqual(picture, after[i], `picture ${i} stands still`));
}

// The moment that the page shows when its light first turns to this.
const watch_badge = (page, look) => page.evaluate((wanted) => {
  const light = document.getElementById("badge");
  window.turned = new Promise((turned) => {
    new MutationObserver((_, observer) => {
      if (light.classList.contains(wanted)) {
        observer.disconnect();
        turned(Number(document.body.dataset.time));
      }
    }).observe(light, { attributes: true });
  });
}, look);

async function check_fault(page) {
  await page.selectOption("#fault_sensor", "crank_acceleration");
  await page.selectOption("#fault_kind", "nan");
  await watch_badge(page, "degraded");
  await page.click("#fault_inject");
  const event = page.locator('#events li:has-text("fault: crank acceleration: nan")');
  await event.waitFor();
  const injected_s = Number(await event.getAttribute("data-time"));
  await badge(page, "degraded");
  const shown_s = await page.evaluate(() => window.turned);
  assert.ok(shown_s > injected_s && shown_s < injected_s + 1,
            `injected at ${injected_s} s, shown at ${shown_s} s of the engine`);
  await page.waitForSelector('#reasons li:has-text("crank acceleration bad")');
  await page.waitForSelector('#sensors tr[data-sensor="crank acceleration"]:not(.good)');
  await page.click('#faults button[aria-label^="Clear"]');
  await badge(page, "valid");
  await page.waitForSelector('#sensors tr[data-sensor="crank acceleration"].good');
  assert.equal(await page.locator("#faults li").count(), 0);
  return shown_s - injected_s;
}

async function check_keys(page) {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Space");
  await page.waitForSelector("#pause[aria-pressed=true]");
  const paused_s = await time_of(page);
  await page.waitForTimeout(300);
  assert.equal(await time_of(page), paused_s);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForFunction((at) => Number(document.body.dataset.time) < at - 1, paused_s);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#pause[aria-pressed=false]");
  await page.focus("#tag");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("30");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector('#events li:has-text("gauge moved to link 30")');
  await page.focus("#speed");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector('#events li:has-text("speed set to")');
}

async function check_width(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `${over} px wider than the window`);
}

async function main() {
  let server = await serve("0");
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM, headless: true, viewport: { width: 1440, height: 980 },
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));

    step("loads, and plots advance");
    await page.goto(server.url.href);
    await page.waitForFunction(() => document.body.dataset.time, null, { timeout: PATIENCE_MS });
    await badge(page, "valid");
    await check_plots(page);
    assert.equal(await page.locator("#sensors tr").count(), 4);

    step("whom it refuses");
    await check_refusals(server);
    await check_streams(server);

    step("a fault by a click, and its end");
    console.log(`  shown after ${(await check_fault(page)).toFixed(2)} s of the engine`);

    step("keys: pause, scroll back, gauge, speed");
    await check_keys(page);
    assert.deepEqual(errors, []);

    step("screenshots");
    await page.waitForFunction(() => document.querySelector("#plot_spectrum .u-value"));
    await advanced(page, 0, 12);
    await page.evaluate(() => document.activeElement?.blur());
    await page.mouse.move(0, 0);
    await page.screenshot({ path: path.join(SHOTS, "desktop.png") });
    await page.emulateMedia({ colorScheme: "dark" });
    await advanced(page, await time_of(page), 0.5);
    await page.screenshot({ path: path.join(SHOTS, "dark.png") });
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 390, height: 844 });
    await advanced(page, await time_of(page), 0.5);
    await check_width(page);
    await page.screenshot({ path: path.join(SHOTS, "phone.png"), fullPage: true });
    await page.setViewportSize({ width: 320, height: 640 });
    await check_width(page);
    await page.setViewportSize({ width: 1440, height: 980 });
    assert.deepEqual(errors, []);

    step("the other twin");
    await page.click('#models button[data-model="roller"]');
    await page.waitForSelector('#events li:has-text("roller twin starts on this PC")', { timeout: PATIENCE_MS });
    await badge(page, "valid");

    step("comes back after the server does");
    const port = server.url.port;
    const ended = await server.stop();
    assert.equal(ended.code, 0, ended.said);
    assert.match(ended.said, /roller twin against the rig/);
    await page.waitForSelector('#badge.waiting:has-text("not connected")');
    server = await serve(port);
    await page.waitForFunction(() => Number(document.body.dataset.time) < 5 &&
                                     document.body.dataset.health !== "", null, { timeout: PATIENCE_MS });
    await advanced(page, await time_of(page), 0.5);
    await page.click("#tag_set");
    await page.waitForSelector('#answer.bad:has-text("earlier run")');
    // A server that goes says 503 to who comes just then.
    const expected = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|403 \(Forbidden\)|503 \(/;
    const bad = errors.filter((text) => !expected.test(text));
    assert.deepEqual(bad, []);
  } finally {
    await browser.close();
    await server.stop();
    fs.rmSync(profile, { recursive: true, force: true });
  }
  console.log("the live page: OK");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
