// The server and the browser that the measurements share.
import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

export const wish = JSON.parse(process.argv[2]);
export const patience = 120000;
export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** The server, and its address as soon as it has printed it. */
export async function start() {
  const server = spawn(wish.program, ["serve", wish.folder, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let printed = "";
    server.on("exit", () => reject(new Error(`the server ended: ${printed}`)));
    server.stdout.on("data", (chunk) => {
      printed += chunk;
      const found = /(http:\/\/\S+)#token=(\S+)/.exec(printed);
      if (found) resolve({ base: found[1], token: found[2] });
    });
  });
  server.removeAllListeners("exit");
  return { server, ...address };
}

/** The server, and the seconds from its start until it answers for all that was recorded. */
export async function serve() {
  const began = performance.now();
  const { server, ...address } = await start();
  const ask = async (path) => (await fetch(`${address.base}api/v1/${path}`, { headers: { Authorization: `Bearer ${address.token}` } })).json();
  for (;;) {
    const { loading, runs } = await ask("status");
    if (!loading && runs >= wish.runs) break;
    await wait(2);
  }
  if (!["many", "views", "ranks"].includes(wish.kind)) {
    const { tags } = await ask("run?run=one");
    const longest = Math.max(...tags.map((tag) => tag.count));
    if (tags.length !== wish.tags || longest !== wish.steps) throw new Error(`the server has ${tags.length} tags and ${longest} steps`);
  }
  return { server, ...address, ask, seconds: (performance.now() - began) / 1000 };
}

export const end = (server) => new Promise((resolve) => {
  server.on("exit", resolve);
  server.kill();
});

/** Seconds from now until `done` holds in the page, looked at each frame. */
export async function timed(page, act, done, argument) {
  await page.evaluate(() => { window.began = 0; });
  const ended = page.evaluate(({ source, given }) => new Promise((resolve) => {
    const holds = new Function(`return (${source})`)();
    const look = () => {
      if (window.began > 0 && holds(given)) resolve((performance.now() - window.began) / 1000);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }), { source: done.toString(), given: argument });
  await page.evaluate(({ source, given }) => { window.began = performance.now(); new Function(`return (${source})`)()(given); }, { source: act.toString(), given: argument });
  return ended;
}

export const launch = () => chromium.launch({
  executablePath: wish.chromium,
  timeout: patience,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
