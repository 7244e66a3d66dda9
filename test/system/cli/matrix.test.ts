import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { reservedOptions, takesDocument, toFlag } from "../../../src/surfaces/cli/tool-options.ts";
import { tools } from "../../../src/tools/index.ts";
import { penknife, shareWorkers } from "./host.ts";

const all = await createCatalog(tools).all();

const program = shareWorkers();

/** The options for these fields. */
const toWords = (input: Record<string, unknown>): string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    name === "data" ? [] : [value].flat().map((one) => `--${toFlag(name)}=${String(one)}`),
  );

describe.each(all.map((tool) => ({ slug: tool.slug, tool })))("$slug", ({ slug, tool }) => {
  test.each(tool.examples.map((example, at) => ({ at, ...example })))(
    "example $at gives its result",
    async ({ input, result }) => {
      const stdin = (input.data as string | undefined) ?? "";
      const ran = await penknife(["run", slug, ...toWords(input)], { stdin, program });
      const stdout = tool.exact || result === "" || result.endsWith("\n") ? result : `${result}\n`;
      const valid = tool.check !== "report" || (JSON.parse(result) as { valid: boolean }).valid;
      expect(ran).toMatchObject({ status: valid ? 0 : 1, stdout, stderr: "" });
    },
  );

  test("no field is named like a global option", () => {
    const flags = fieldsOf(tool.input)
      .filter(({ name }) => name !== "data")
      .map(({ name }) => toFlag(name));
    expect(flags.filter((flag) => (reservedOptions as readonly string[]).includes(flag))).toEqual([]);
    expect(flags.filter((flag) => flag.startsWith("no-"))).toEqual([]);
  });

  test("its help names every field", async () => {
    const { status, stdout } = await penknife(["run", slug, "--help"]);
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
    const { stdout } = await penknife(["tools", slug, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ slug, title: tool.title, examples: tool.examples });
    // On 100 columns, a long summary takes two lines.
    expect((await penknife(["tools", slug])).stdout.replaceAll("\n", " ")).toContain(tool.summary);
  });
});
