import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: ["test/**/*.test.ts", "config/**/*.test.ts"],
    globalSetup: ["test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Tests start servers and workers of their own: more than one file a core only makes them slower.
    maxWorkers: 2,
    reporters: ["default", "json", "./test/skipped-reporter.ts"],
    outputFile: { json: "dist/test-results.json" },
  },
});
