import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { printerWasm } from "../../../src/lib/json/printer-wasm.ts";
import { sealOf, target } from "./generate.ts";

// Compiling takes seconds: generate.long.ts does it.
it("src/lib/json/printer-wasm.ts was generated from these sources, and is as it was generated", () => {
  expect(readFileSync(target, "utf8")).toContain(`: ${sealOf(printerWasm)}\n`);
});
