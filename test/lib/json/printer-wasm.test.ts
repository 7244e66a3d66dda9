import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compilePrinter, target } from "../../../config/build/wasm.ts";

it("is what `node config/build/wasm.ts` makes of its source", async () => {
  expect(readFileSync(target, "utf8")).toBe(await compilePrinter());
});
