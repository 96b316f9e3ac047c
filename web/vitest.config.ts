import { defineConfig } from "vitest/config";

// css: a test computes contrasts from the colours in style.css.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], css: true, testTimeout: 120000 },
});
