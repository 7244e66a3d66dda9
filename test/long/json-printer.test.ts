import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generatePrinter, target } from "../../config/build/json-printer/generate.ts";

it("generates src/lib/json/printer-wasm.ts byte for byte", async () => {
  expect(readFileSync(target, "utf8")).toBe(await generatePrinter());
});
