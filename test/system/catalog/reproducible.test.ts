import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { execute } from "../../../src/catalog/execute.ts";
import { fieldsOf, inputSchemaOf } from "../../../src/catalog/fields.ts";
import type { Tool, ToolContext } from "../../../src/catalog/tool.ts";
import { tools } from "../../../src/tools/index.ts";
import { refusalOf } from "../../unit/tools/run-tool.ts";

const all = await createCatalog(tools).all();
const namesOf = (tool: Tool): string[] => fieldsOf(tool.input).map(({ name }) => name);
const varying = all.filter((tool) => !tool.deterministic);

/** These tools use the context only to see whether they run on the event loop; the last, to try other tools at a fixed time. */
const bounded = [
  "json-formatter",
  "semver-comparer",
  "cidr-calculator",
  "cidr-matcher",
  "ip-range-to-cidr",
  "case-converter",
  "env-to-json",
  "json-minifier",
  "json-to-env",
  "line-sorter",
  "input-detector",
];

/** A context that must not be used. */
const nothing: ToolContext = {
  now() {
    throw new Error("The clock was used");
  },
  random() {
    throw new Error("Randomness was used");
  },
};

async function run(tool: Tool, input: Record<string, unknown>): Promise<string> {
  const body = { kind: "input" as const, input };
  const answer = await execute(tool, { body, form: "text", check: false }, nothing);
  return Buffer.from(answer.body).toString();
}

test("time and randomness come from the context, and tools that use them declare it", () => {
  // The parameters of a function without a context parameter do not reach it.
  const taking = all.filter(
    ({ slug, run: work, runBytes }) =>
      (work.length > 1 || (runBytes?.length ?? 0) > 2) && !bounded.includes(slug),
  );
  expect(taking.map(({ slug }) => slug)).toEqual(varying.map(({ slug }) => slug));
  expect(varying.length).toBeGreaterThan(10);
});

test("a tool with varying answers takes seed or now", () => {
  const without = varying.filter((tool) => !namesOf(tool).some((name) => name === "seed" || name === "now"));
  expect(without.map(({ slug }) => slug)).toEqual([]);
});

test("seed and now are one field each, with the same meaning everywhere", () => {
  for (const tool of all) {
    const { properties = {}, required = [] } = inputSchemaOf(tool.input) as {
      properties?: Record<string, unknown>;
      required?: string[];
    };
    if ("seed" in properties)
      expect(properties["seed"], tool.slug).toMatchObject({ type: "string", maxLength: 1024 });
    if ("now" in properties)
      expect(properties["now"], tool.slug).toMatchObject({ type: "string", format: "date-time" });
    expect(required, tool.slug).not.toContain("seed");
    expect(required, tool.slug).not.toContain("now");
  }
});

const examples = all.flatMap((tool) =>
  tool.examples.map((example) => [tool.slug, tool, example.input] as const),
);

test.each(examples.filter(([, tool]) => tool.deterministic))(
  "%s uses neither the clock nor randomness, example %#",
  async (_, tool, input) => {
    expect(await run(tool, input)).toBe(await run(tool, input));
  },
);

const zones = ["UTC", "Pacific/Kiritimati", "America/St_Johns"];

test.each(examples.filter(([, tool]) => !tool.deterministic))(
  "%s with seed and now uses neither, and answers the same on every machine, example %#",
  async (_, tool, input) => {
    const names = namesOf(tool);
    const given = {
      ...input,
      ...(names.includes("seed") && { seed: "golden file" }),
      ...(names.includes("unsafe") && { unsafe: true }),
      ...(names.includes("now") && { now: "2026-01-02T03:04:05.678Z" }),
    };
    const home = process.env["TZ"];
    const answers = new Set<string>();
    try {
      for (const zone of zones) {
        process.env["TZ"] = zone;
        answers.add(await run(tool, given));
      }
    } finally {
      if (home === undefined) delete process.env["TZ"];
      else process.env["TZ"] = home;
    }
    expect(answers.size).toBe(1);
  },
);

const seeded = all.filter((tool) => !tool.deterministic && namesOf(tool).includes("seed"));

test.each(seeded.map((tool) => [tool.slug, tool] as const))(
  "%s: another seed, another answer",
  async (_, tool) => {
    const [example] = tool.examples;
    const fixed = {
      ...(namesOf(tool).includes("data") && { data: example?.input["data"] }),
      ...(namesOf(tool).includes("unsafe") && { unsafe: true }),
    };
    const time = { ...(namesOf(tool).includes("now") && { now: "2026-01-02T03:04:05Z" }) };
    const one = await run(tool, { ...fixed, ...time, seed: "a" });
    expect(await run(tool, { ...fixed, ...time, seed: "b" })).not.toBe(one);
    expect(await run(tool, { ...fixed, ...time, seed: "a" })).toBe(one);
  },
);

const secrets = ["password-generator", "token-generator"];

test("a secret is derived from a seed only with unsafe", async () => {
  expect(all.filter((tool) => namesOf(tool).includes("unsafe")).map(({ slug }) => slug)).toEqual(secrets);
  for (const tool of all.filter(({ slug }) => secrets.includes(slug))) {
    expect(await refusalOf(run(tool, { seed: "x" }))).toMatchObject({
      code: "invalid_input",
      pointer: "/seed",
    });
    expect(await run(tool, { seed: "x", unsafe: true })).not.toBe("");
  }
});

test("the documentation lists the tools with varying answers, and their fields", () => {
  const text = readFileSync(new URL("../../../docs/reproducible.md", import.meta.url), "utf8");
  const rows = varying.map((tool) => {
    const fields = namesOf(tool).filter((name) => ["now", "seed", "unsafe"].includes(name));
    return `| \`${tool.slug}\` | ${fields
      .toSorted()
      .map((name) => `\`${name}\``)
      .join(", ")} |`;
  });
  const table = /\| tool \| fields \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text)?.[1] ?? "";
  expect(table.trimEnd().split("\n")).toEqual(rows.toSorted());
});
