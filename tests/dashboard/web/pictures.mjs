// Takes the pictures of docs/pictures, or of every page in every form.
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";
import { end, patience, serve } from "./server.mjs";

const [, , program, directory, browserPath, folder, every] = process.argv;
const pages = ["overview", "scalars", "distributions", "media", "tensors", "graphs", "lineage", "landscape", "profile"];
// 80 ms of the timeline, from the second of the training on.
const documented = [
  ["dashboard_overview_light", "overview", "light"],
  ["dashboard_landscape_light", "landscape?form=together", "light"], ["dashboard_profile_light", "profile?window=1000000000~1080000000", "light"],
];

const { server, address } = await serve(program, directory);
const browser = await chromium.launch({
  executablePath: browserPath,
  timeout: patience,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function picture(page, fragment, path) {
  await page.evaluate((wanted) => { location.hash = `#/${wanted}`; }, fragment);
  await page.waitForFunction((wanted) => document.querySelector(`nav.tabs a[href^="#/${wanted}"]`)?.getAttribute("aria-current") === "page", fragment.split("?")[0]);
  // Nothing is on its way any more, and what came is drawn.
  await page.waitForLoadState("load");
  await page.waitForFunction(() => {
    const now = [document.querySelector(".page").textContent.length, performance.getEntriesByType("resource").length].join();
    if (window.seen !== now) [window.seen, window.since] = [now, performance.now()];
    return performance.now() - window.since > 700;
  });
  await page.screenshot({ path });
}

async function tab(width, height, colorScheme, locale) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale, hasTouch: width < 720 });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(address);
  await page.locator(".page").waitFor();
  return { context, page };
}

try {
  if (every) {
    mkdirSync(every, { recursive: true });
    for (const [width, height] of [[1440, 900], [1000, 800], [390, 844]]) {
      for (const scheme of ["light", "dark"]) {
        for (const locale of ["en-US", "zh-CN"]) {
          const { context, page } = await tab(width, height, scheme, locale);
          for (const name of pages) await picture(page, name, `${every}/${name}_${width}_${scheme}_${locale.slice(0, 2)}.png`);
          await context.close();
        }
      }
    }
  } else {
    for (const [name, fragment, scheme] of documented) {
      const { context, page } = await tab(1440, 900, scheme, "en-US");
      await picture(page, fragment, `${folder}/${name}.png`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await end(server);
}
