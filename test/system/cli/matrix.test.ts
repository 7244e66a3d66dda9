import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { reservedOptions, takesDocument } from "../../../src/surfaces/cli/tool-options.ts";
import { tools } from "../../../src/tools/index.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { penknife, shareWorkers } from "./host.ts";

const all = await createCatalog(tools).all();

const program = shareWorkers();

/** Tools whose help the executable prints; each costs three starts. The others run in this process. */
const started = new Set(cases(all, maxSeconds));

describe.each(all.map((tool) => ({ slug: tool.slug, tool })))("$slug", ({ slug, tool }) => {
  const given = started.has(tool) ? {} : { program };

  test("no field is named like a global option", () => {
    const flags = fieldsOf(tool.input)
      .filter(({ name }) => name !== "data")
      .map(({ name }) => toFlag(name));
    expect(flags.filter((flag) => (reservedOptions as readonly string[]).includes(flag))).toEqual([]);
    expect(flags.filter((flag) => flag.startsWith("no-"))).toEqual([]);
  });

  test("its help names every field", async () => {
    const { status, stdout } = await penknife(["run", slug, "--help"], given);
    expect(status).toBe(0);
    for (const { name, type, list } of fieldsOf(tool.input)) {
      if (name === "data") continue;
      const flag = toFlag(name);
      expect(stdout).toMatch(
        new RegExp(`^  --${type === "boolean" && !list ? `(?:no-)?${flag}` : `${flag} \\S`}`, "m"),
      );
    }
    expect(stdout.includes("FILE  ")).toBe(takesDocument(tool) || stdout.includes("--out FILE"));
  });

  test("`tools` describes it", async () => {
    const { stdout } = await penknife(["tools", slug, "--json"], given);
    expect(JSON.parse(stdout)).toMatchObject({ slug, title: tool.title, examples: tool.examples });
    // On 100 columns, a long summary takes two lines.
    expect((await penknife(["tools", slug], given)).stdout.replaceAll("\n", " ")).toContain(tool.summary);
  });
});
