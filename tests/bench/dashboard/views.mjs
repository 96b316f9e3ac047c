// Measures graphs of 100,000 nodes, a landscape of 256 x 256 points and images in Chromium, and prints one JSON object.
//   node views.mjs '{"program", "chromium", "folder", "kind": "views", "runs", "nodes", "rounds"}'
import { rmSync } from "node:fs";
import { end, launch, median, patience, serve, timed, wish } from "./browser.mjs";

function watch() {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
  }).observe({ type: "longtask", buffered: true });
}

/** A page in a new window, and the seconds from its navigation until `done` holds in it. */
async function open(browser, { base, token }, fragment, done, argument) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.addInitScript(watch);
  await page.addInitScript(({ source, given }) => {
    const holds = new Function(`return (${source})`)();
    const look = () => {
      if (holds(given)) window.readyAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { source: done.toString(), given: argument });
  await page.goto(`${base}#/${fragment}&token=${token}`);
  await page.waitForFunction(() => window.readyAt > 0);
  return { context, page, seconds: (await page.evaluate(() => window.readyAt)) / 1000 };
}

const blockOf = (page) => page.evaluate(() => window.longest);
const doubleClick = (id) => document.querySelector(`[data-node="${id}"]`).dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
const atLeast = (count) => new Function(`return document.querySelectorAll(".node").length >= ${count}`);

async function search(page) {
  return timed(page, (text) => {
    const input = document.querySelector(".graph-side .filter");
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, (text) => [...document.querySelectorAll(".graph-side li button")].some((button) => button.textContent.endsWith(text)), `op${wish.nodes - 1}`);
}

async function nested(browser, server) {
  const { context, page, seconds } = await open(browser, server, "graphs?r=nested", (count) => document.querySelectorAll(".node").length > 1
    && document.querySelector(".page").textContent.includes(count), `${wish.nodes.toLocaleString("en-US")} nodes`);
  // A short try has one part, which is open from the start.
  const block = '[data-node="Default/part_aa/block_aa"]';
  if (await page.locator(block).count() === 0) await page.evaluate(doubleClick, "Default/part_aa");
  await page.waitForSelector(block);
  const before = await page.evaluate(() => document.querySelectorAll(".node").length);
  const unfold = await timed(page, doubleClick, atLeast(before + 500), "Default/part_aa/block_aa");
  const found = await search(page);
  const longest = await blockOf(page);
  await context.close();
  return { nestedFirst: seconds, nestedUnfold: unfold, nestedSearch: found, nestedBlock: longest };
}

async function flat(browser, server) {
  const { context, page, seconds } = await open(browser, server, "graphs?r=flat", (count) => document.querySelectorAll(".node").length > 100
    && document.querySelector(".page").textContent.includes(count), `${wish.nodes.toLocaleString("en-US")} nodes`);
  const shown = await page.evaluate(() => document.querySelectorAll(".node").length);
  await page.evaluate(doubleClick, "Default");
  await page.waitForFunction((count) => document.querySelectorAll(".node").length < count, shown);
  const unfold = await timed(page, doubleClick, atLeast(shown), "Default");
  const found = await search(page);
  const block = await blockOf(page);
  await context.close();
  return { flatFirst: seconds, flatUnfold: unfold, flatSearch: found, flatBlock: block };
}

/** Frames a second in which the surface stands otherwise than in the one before, while an arrow key turns it. */
async function surface(browser, server) {
  const { context, page } = await open(browser, server, "landscape?r=surface&form=3d", () => document.querySelector(".card canvas[data-drawn=yes]") !== null);
  const turning = await page.evaluate(() => new Promise((resolve) => {
    const target = document.querySelector(".card .surface");
    const canvas = document.querySelector(".card canvas");
    const began = performance.now();
    let frames = 0;
    let last = "";
    const turn = () => {
      const { data } = canvas.getContext("2d").getImageData(0, canvas.height >> 1, canvas.width, 1);
      const now = data.join();
      if (now !== last) frames++;
      last = now;
      const taken = performance.now() - began;
      if (taken > 2000) return resolve((1000 * frames) / taken);
      target.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }));
  await page.waitForTimeout(1000); // All cells are drawn once it rests: that is part of the longest block.
  const block = await blockOf(page);
  await context.close();
  return { turning, surfaceBlock: block };
}

async function pictures(browser, server) {
  const { context, page } = await open(browser, server, "media?r=pictures", () => document.querySelector(".picture img")?.naturalWidth > 0);
  const times = [];
  for (let i = 0; i < 20; i++) {
    const before = await page.evaluate(() => document.querySelector(".picture img").src);
    times.push(await timed(page, () => document.querySelector(".stepper button").click(),
      (old) => { const image = document.querySelector(".picture img"); return image && image.src !== old && image.complete && image.naturalWidth > 0; }, before));
  }
  const block = await blockOf(page);
  await context.close();
  return { picture: median(times), pictureMost: Math.max(...times), picturesBlock: block };
}

const rounds = [];
const browser = await launch();
try {
  for (let round = 0; round < wish.rounds; round++) {
    rmSync(`${process.env.XDG_CACHE_HOME}/sightline`, { recursive: true, force: true });
    const server = await serve();
    try {
      const figures = {};
      for (const measure of [nested, flat, surface, pictures]) Object.assign(figures, await measure(browser, server));
      rounds.push(figures);
    } finally {
      await end(server.server);
    }
  }
} finally {
  await browser.close();
}
const most = (key) => Math.max(...rounds.map((round) => round[key]));
console.log(JSON.stringify(Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, /Block|Most/.test(key) ? most(key) : median(rounds.map((round) => round[key]))]))));
