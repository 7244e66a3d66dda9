import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { createSeededRandom } from "../../../../../src/lib/seeded-random.ts";
import tool from "../../../../../src/tools/json/json-formatter.ts";
import { drawSeed } from "../../../../support/cases.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";

/** The part used. */
interface Prettier {
  format(text: string, options: Record<string, unknown>): Promise<string>;
}
const prettier = createRequire(import.meta.url)("prettier") as Prettier;

const keep = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, objects: "keep", ...options });

/** Draws documents of the shapes that configurations and data have. */
function drawDocuments(count: number, seed: string): unknown[] {
  const random = createSeededRandom(seed);
  const below = (max: number): number => {
    const [high = 0, low = 0] = random(2);
    return (high * 256 + low) % max;
  };
  const word = (): string =>
    Array.from({ length: 1 + below(12) }, () => "abcdefghij -_./@"[below(16)]).join("");
  const scalar = (): unknown => [word(), below(100_000), -below(100) / 8, true, null, ""][below(6)];
  const value = (depth: number): unknown => {
    const size = below(7);
    switch (depth > 4 ? 0 : below(6)) {
      case 0:
        return scalar();
      case 1:
        return Array.from({ length: below(40) }, () => below(1000) / (below(2) + 1));
      case 2:
        return Array.from({ length: size }, scalar);
      case 3:
        return Array.from({ length: size }, () => value(depth + 1));
      case 4: {
        const keys = Array.from({ length: size }, word);
        return Array.from({ length: below(5) }, () => Object.fromEntries(keys.map((key) => [key, scalar()])));
      }
      default:
        return Object.fromEntries(Array.from({ length: size }, () => [word(), value(depth + 1)]));
    }
  };
  return Array.from({ length: count }, () => ({ [word()]: value(0), [word()]: value(0), list: [value(1)] }));
}

interface Layout {
  parser: string;
  tabWidth?: number;
  useTabs?: boolean;
  printWidth?: number;
}

const layouts: readonly Layout[] = [
  { parser: "json", tabWidth: 2 },
  { parser: "json", tabWidth: 4 },
  { parser: "json", tabWidth: 4, useTabs: true },
  { parser: "json", printWidth: 100 },
  // The layout of package.json.
  { parser: "json-stringify" },
];

/** The options of ours that say the same. */
const toOurs = ({ tabWidth = 2, useTabs = false, printWidth = 80 }: Layout) => ({
  indent: tabWidth,
  useTabs,
  width: printWidth,
});

describe("what Prettier has formatted is left as it is", () => {
  const documents = drawDocuments(200, drawSeed().toString());

  test.each(layouts)("200 documents drawn, %j", async (layout) => {
    let broken = 0;
    for (const document of documents) {
      // Some objects are open, and stay so.
      const text = JSON.stringify(document).replaceAll(/\{(?=.{3}[aeg])/g, "{\n");
      const formatted = await prettier.format(text, { ...layout });
      if (formatted.split("\n").length > 4) broken++;
      expect(`${await keep(formatted, toOurs(layout))}\n`).toBe(formatted);
    }
    expect(broken).toBeGreaterThan(100);
  });

  test.each(layouts.slice(0, 4))(
    "and ours lays out what is on one line as Prettier does, %j",
    async (layout) => {
      for (const document of documents) {
        const text = JSON.stringify(document).replaceAll(/\{(?=.{3}[aeg])/g, "{\n");
        const ours = await keep(text, toOurs(layout));
        expect(`${ours}\n`).toBe(await prettier.format(text, { ...layout }));
        expect(await keep(ours, toOurs(layout))).toBe(ours);
      }
    },
  );

  test("the JSON files of this repository, with their comments", async () => {
    const root = new URL("../../../../../", import.meta.url);
    const names = [".", "config", "config/ci", "test/bench/peers"].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, root))
        .filter((name) => name.endsWith(".json"))
        .map((name) => `${folder}/${name}`),
    );
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const text = readFileSync(new URL(name, root), "utf8");
      const parser = /(?:package|package-lock)\.json$/.test(name) ? "json-stringify" : "json";
      const formatted = await prettier.format(text, { parser });
      expect(`${await keep(formatted, { dialect: "jsonc" })}\n`, name).toBe(formatted);
    }
  });
});
