import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { reuse } from "../../../config/build/browser.ts";

const source = new URL("../../../src/lib/", import.meta.url).pathname;

test("a bundle with a file that is not among its sources is not kept, because it would outlive a change of the file", async () => {
  const cache = mkdtempSync(join(tmpdir(), "penknife-bundles-"));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const make = (...files: string[]) => reuse(cache, "web", [source], async () => ({ assets: {}, files }));
  const library = join(source, "../../node_modules/preact/dist/preact.mjs");
  await expect(make(join(source, "option.ts"), library, join(source, "../app.ts"))).rejects.toThrow(
    "src/app.ts is in the bundle web, but the bundle would not be made again when it changes: add it to the sources in config/build/web.ts.",
  );
  expect(readdirSync(cache)).toEqual([]);
  await make(join(source, "option.ts"), library);
  expect(readdirSync(cache)).toHaveLength(1);
});
