// The main journey in Firefox, over WebDriver BiDi: is my run fine, and what did its loss do?
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { end, patience, serve } from "./server.mjs";

const [, , program, directory, browserPath, shots] = process.argv;
const faults = [];
const { server, address } = await serve(program, directory);
let browser;
let page;
try {
  browser = await puppeteer.launch({ browser: "firefox", executablePath: browserPath, headless: true, protocolTimeout: patience, timeout: patience });
  page = await browser.newPage();
  page.setDefaultTimeout(patience);
  await page.setViewport({ width: 1440, height: 900 });
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.stack ?? error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`${page.url()}: ${message.text()}`));

  await page.goto(address);
  const seen = (text) => page.waitForFunction((wanted) => document.querySelector(".page")?.textContent.includes(wanted), {}, text);
  const drawn = (selector) => page.waitForFunction((where) => document.querySelector(where)?.dataset.drawn === "yes", {}, selector);
  await seen("runs need attention.");
  await seen("loss is 0.02024");
  await drawn(".story canvas");
  assert.ok(!page.url().includes("token"), "the token stays out of the address");

  await page.click('nav.tabs a[href^="#/scalars"]');
  await page.type(".filter", "loss");
  await page.waitForFunction(() => [...document.querySelectorAll(".card .tag")].length > 0 && [...document.querySelectorAll(".card > header h3")].every((tag) => tag.title.includes("loss")));
  await drawn(".card canvas");
  const box = await (await page.$(".card .surface")).boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 70, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes("z="));
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => !location.hash.includes("z="));
  await drawn(".card canvas");
  await page.focus(".card .surface");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".float");
  await page.keyboard.press("d");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await drawn(".card canvas");

  await page.click('nav.tabs a[href^="#/landscape"]');
  await drawn(".card canvas");
  await page.click('nav.tabs a[href^="#/graphs"]');
  await page.waitForSelector(".node");
} catch (error) {
  faults.push(String(error.stack));
  if (shots) await page?.screenshot({ path: `${shots}/failed: firefox.png` });
} finally {
  await browser?.close();
  await end(server);
}
for (const fault of faults) console.error(`failed: ${fault}`);
if (faults.length > 0) process.exit(1);
console.log("passed: the main journey in Firefox");
