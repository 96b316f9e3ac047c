// Measures panning of a profile's timeline in Chromium, and prints one JSON object: frames a second, and milliseconds of
// script a frame.
//   node timeline.mjs '{"program", "chromium", "folder", "milliseconds"}'
import { end, launch, patience, start, wish } from "./browser.mjs";

const { server, base, token } = await start();
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.goto(`${base}#/profile&token=${token}`);
  const lanes = page.locator(".lanes[data-drawn=yes]");
  await lanes.waitFor();
  await lanes.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("w");
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const script = async () => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ScriptDuration").value;
  const before = await script();
  // To and fro, a step a frame, with the requests for what comes into sight.
  const { frames, seconds } = await page.evaluate((milliseconds) => new Promise((resolve) => {
    const element = document.querySelector(".lanes");
    const began = performance.now();
    let frames = 0;
    const move = () => {
      const passed = performance.now() - began;
      if (passed > milliseconds) return resolve({ frames, seconds: passed / 1000 });
      const name = Math.floor(frames++ / 8) % 2 === 0 ? "d" : "a";
      element.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }), wish.milliseconds);
  console.log(JSON.stringify({ frames: frames / seconds, script: (1000 * (await script() - before)) / frames }));
} finally {
  await browser.close();
  await end(server);
}
