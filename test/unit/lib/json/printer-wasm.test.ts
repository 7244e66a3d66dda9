import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { printerWasm } from "../../../../src/lib/json/printer-wasm.ts";
import { sealOf, target } from "../../../../config/build/json-printer/generate.ts";

// Compiling takes seconds: test/long/json-printer.test.ts does it.
it("src/lib/json/printer-wasm.ts was generated from these sources, and is as it was generated", () => {
  expect(readFileSync(target, "utf8")).toContain(`: ${sealOf(printerWasm)}\n`);
});
