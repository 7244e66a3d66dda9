import { defineConfig } from "vitest/config";
import { sliceOf } from "../test/run/slices.ts";
import common from "./vitest.ts";

const { projects: _projects, ...test } = common.test ?? {};

/** Tests that take minutes or gigabytes, one after another: all of test/long, or the slice that TEST_SLICE names, such as 3/12. */
export default defineConfig({
  ...common,
  test: {
    ...test,
    include: sliceOf(process.env["TEST_SLICE"]),
    exclude: ["**/node_modules/**"],
    provide: { ...test.provide, long: true },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    maxWorkers: 1,
  },
});
