import { defineConfig } from "vite";

// base "./": the page also works below --base-path. No inlined assets and no polyfill: the content policy
// allows scripts, styles and pictures of the same origin only.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
  },
  esbuild: { legalComments: "none" },
});
