import { defineConfig } from "vite";

// One script and one style sheet, which the HTML export writes into its page: nothing of it is loaded.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist_export",
    lib: {
      entry: "src/export.ts",
      formats: ["iife"],
      name: "sightline",
      fileName: () => "charts.js",
      cssFileName: "charts",
    },
    reportCompressedSize: false,
  },
  esbuild: { legalComments: "none" },
});
