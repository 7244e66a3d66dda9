import { defineConfig } from "vitest/config";
import common from "./vitest.ts";

/** What takes minutes, or gigabytes: run it by hand, and before a release. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ["test/**/*.long.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
