// Measures the dashboard in Chromium as its reader meets it, and prints one JSON object.
//   node measure.mjs '{"program", "chromium", "folder", "kind", "steps", "runs", "tags", "spikes", "rounds", "rest", "idle"}'
// `kind` as in dashboard_runs; `rest`: milliseconds until the server's memory is read; `idle`: for which an open page is
// watched (kinds "long" and "ranks").
import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { end, launch, median, patience, serve, timed, wait, wish } from "./browser.mjs";

/** Kilobytes of the process alone and its part of what it shares. */
function pss(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]);
}

// In the page: when a chart first has pixels of a run's colour, and the longest task of the main thread.
function watch() {
  window.longest = 0;
  window.drawnAt = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
  }).observe({ type: "longtask", buffered: true });
  window.coloured = () => {
    const canvas = document.querySelector(".card canvas[data-drawn=yes]");
    if (!canvas || canvas.width === 0) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      // Grey is grid and text; lines have a hue.
      if (data[i + 3] > 100 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) return true;
    }
    return false;
  };
  // Drawn, and nothing further is on its way to the first chart.
  window.settled = () => document.querySelector(".card")?.getAttribute("aria-busy") === "false" && window.coloured();
  // The same of every chart that can be seen, with so many runs each.
  window.allSettled = (runs) => window.coloured() && [...document.querySelectorAll(".card")].every((card) => {
    const { top, bottom } = card.querySelector(".chart").getBoundingClientRect();
    if (bottom < 0 || top >= innerHeight) return true;
    return card.getAttribute("aria-busy") === "false" && card.querySelector("canvas[data-drawn=yes]") !== null
      && card.querySelector(".surface").getAttribute("aria-label").includes(`${runs} runs`);
  });
  const look = () => {
    if (window.coloured()) window.drawnAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** One view from nothing: an empty cache, a new window. */
async function view(browser, { base, token }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.addInitScript(watch);
  await page.goto(`${base}#/scalars&token=${token}`);
  await page.waitForFunction(() => window.drawnAt > 0);
  await page.waitForFunction(() => window.settled());
  const figures = await page.evaluate(() => {
    const parts = performance.getEntriesByType("resource").filter((entry) => !entry.name.includes("/changes"));
    const size = (list) => list.reduce((sum, entry) => sum + entry.encodedBodySize, 0) / 1000;
    return {
      drawn: window.drawnAt / 1000,
      requests: parts.length + 2, // The page itself, and the stream.
      kilobytes: size(parts),
      script: size(parts.filter((entry) => /\.(js|css)/.test(entry.name))),
      answer: Math.max(...parts.filter((entry) => entry.name.includes("/api/")).map((entry) => entry.decodedBodySize)) / 1000,
      nodes: document.querySelectorAll("*").length,
    };
  });
  return { context, page, figures };
}

/** What one round adds of its kind. */
const acts = {
  async long(page, server) {
    const answer = await fetch(`${server.base}api/v1/series?run=one&tag=loss&columns=320`, { headers: { Authorization: `Bearer ${server.token}` } });
    const bytes = await answer.arrayBuffer();
    const head = 8 + new DataView(bytes).getUint32(4, true);
    const { length } = JSON.parse(new TextDecoder().decode(bytes.slice(8, head))).series[0];
    const numbers = new Float64Array(bytes.slice(head));
    const [first, last, most] = [0, 1, 5].map((i) => numbers.subarray(i * length, (i + 1) * length));
    return { spikes: wish.spikes.filter((spike) => first.some((from, i) => from <= spike && spike <= last[i] && most[i] === 100)).length };
  },
  async huge(page) {
    const range = [Math.round(wish.steps * 0.4), Math.round(wish.steps * 0.45)];
    const shown = range.map((step) => step.toLocaleString("en-US")).join(" to ");
    const zoom = await timed(page, ({ range: [from, to] }) => {
      location.hash = `${location.hash.replace(/\?.*/, "")}?z=${from}~${to}`;
    }, ({ shown: text }) => document.querySelector(".card .surface")?.getAttribute("aria-label").includes(text) && window.settled(), { range, shown });
    return { zoom };
  },
  async many(page) {
    const select = await timed(page, () => {
      [...document.querySelectorAll(".side .foot button")].find((button) => button.textContent === "Select all").click();
    }, (runs) => window.allSettled(runs.toLocaleString("en-US")) || window.allSettled(runs), wish.runs);
    // Half a second of panning by a step each frame, then rest.
    const frames = await page.evaluate(() => new Promise((resolve) => {
      const began = performance.now();
      let frames = 0;
      const move = () => {
        if (performance.now() - began > 500) resolve((1000 * frames) / (performance.now() - began));
        else {
          frames++;
          location.hash = `${location.hash.replace(/[?&]z=[^&]*/, "")}${location.hash.includes("?") ? "&" : "?"}z=${20 + frames}~${120 + frames}`;
          requestAnimationFrame(move);
        }
      };
      requestAnimationFrame(move);
    }));
    const rest = await timed(page, () => {}, (runs) => window.allSettled(runs.toLocaleString("en-US")) || window.allSettled(runs), wish.runs);
    return { select, frames, rest };
  },
  async ranks() {
    return {};
  },
  async tags(page) {
    const client = await page.context().newCDPSession(page);
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    const wanted = `metric${wish.tags - 1}`;
    const search = await timed(page, (text) => {
      const input = document.querySelector(".filter");
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, (text) => document.querySelectorAll(".card .tag").length === 1 && document.querySelector(".card .tag").title.endsWith(text) && window.coloured(), wanted);
    return { heap: usedSize / 1e6, search };
  },
};

/** Milliseconds of the processor that the process has taken. */
function busy(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What an open page on a finished run costs while nothing happens. */
async function idle(page, pid) {
  let requests = 0;
  page.on("request", () => requests++);
  const began = busy(pid);
  await wait(wish.idle);
  return { idleRequests: requests, idleBusy: busy(pid) - began };
}

/** The 95th percentile of a client's waits for the list of runs, alone, and beside 199 that are idle, slow or stalled. */
async function crowd({ base, token, ask }) {
  const { hostname, port } = new URL(base);
  const head = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  const sent = [
    "", "GET /api/v1/sta", `POST /api/v1/tags HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    `GET /api/v1/series?run=one&tag=loss&columns=10000 HTTP/1.1\r\n${head}\r\n`,
  ];
  const p95 = async () => {
    const waits = [];
    for (let i = 0; i < 100; i++) {
      const began = performance.now();
      await ask("runs");
      waits.push(performance.now() - began);
    }
    return waits.sort((a, b) => a - b)[95];
  };
  const alone = await p95();
  const sockets = Array.from({ length: 199 }, (_, i) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.pause();
    socket.write(sent[i % sent.length]);
    return socket;
  });
  await wait(500);
  const beside = await p95();
  for (const socket of sockets) socket.destroy();
  return { alone, beside };
}

/** What the page shows of this server, and in the last round what it costs afterwards. */
async function look(browser, server, last) {
  const { context, page, figures } = await view(browser, server);
  Object.assign(figures, await acts[wish.kind](page, server), { block: await page.evaluate(() => window.longest) });
  rounds.push(figures);
  if (last) {
    await wait(wish.rest);
    memory = pss(server.server.pid) / 1000;
    if (wish.kind === "long" || wish.kind === "ranks") Object.assign(quiet, await idle(page, server.server.pid));
    if (wish.kind === "long") Object.assign(quiet, await crowd(server));
  }
  await context.close();
}

const starts = { cold: [], warm: [] };
const rounds = [];
const browser = await launch();
let memory = 0;
const quiet = {};
try {
  for (let round = 0; round < wish.rounds; round++) {
    rmSync(`${process.env.XDG_CACHE_HOME}/sightline`, { recursive: true, force: true });
    const last = round === wish.rounds - 1;
    const viewed = wish.kind === "ranks" ? "warm" : "cold";
    for (const start of ["cold", "warm"]) {
      const server = await serve();
      starts[start].push(server.seconds);
      try {
        if (start === viewed) await look(browser, server, last);
      } finally {
        await end(server.server);
      }
    }
  }
} finally {
  await browser.close();
}
const figures = Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]));
figures.block = Math.max(...rounds.map((round) => round.block));
console.log(JSON.stringify({ cold: median(starts.cold), warm: median(starts.warm), memory, ...figures, ...quiet }));
