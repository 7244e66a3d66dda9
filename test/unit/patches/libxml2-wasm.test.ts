import { expect, test } from "vitest";
import { load } from "../../../src/lib/load.ts";

test("the library makes as many instances as are wanted, and does not ask where it runs", async () => {
  const { default: create } = await load("libxml2-wasm");
  const [one, other] = await Promise.all([create(), create()]);
  expect(one.HEAPU8.buffer).not.toBe(other.HEAPU8.buffer);
  expect(String(create)).not.toMatch(/node:module|globalThis\.process|import\.meta|console/);
});
