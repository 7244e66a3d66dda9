import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen } from "../../support/cases.ts";
import { refusalOf, runTool } from "../tools/run-tool.ts";

const catalog = createCatalog(tools);
const all = await catalog.all();
const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const list = (folder: string, end: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end))
    .map((path) => `${folder}/${path}`);

/** Returns whether a tool has the option, and it takes the value. */
const takes = (name: string, value: string): boolean =>
  all.some(({ input: { shape } }) => {
    const schema = shape[name] as ZodType | undefined;
    const values: unknown[] = [value, value === "true" ? true : value === "false" ? false : Number(value)];
    return schema !== undefined && values.some((each) => schema.safeParse(each).success);
  });

test("each option that a message tells to set exists and takes the values that it names", () => {
  const named = [...list("src/tools", ".ts"), ...list("src/lib", ".ts")].flatMap((path) =>
    [
      ...read(path).matchAll(/\b[Ss]et ([a-z]\w*) to ([\w-]+(?:(?:, | or )(?!or\b|which\b)[\w-]+)*)/g),
    ].flatMap(([whole, name = "", values = ""]) =>
      values.split(/, | or /).map((value) => ({ path, whole, name, value })),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  // "set it to false" names an option before, and "a name such as" describes values.
  const wrong = named.filter(({ name, value }) => name !== "it" && value !== "a" && !takes(name, value));
  expect(wrong).toEqual([]);
});

/** Calls that are refused with an option to set, and the option as the message names it. */
const refused: readonly [slug: string, input: Record<string, unknown>, option: string, value: unknown][] = [
  ["yaml-to-json", { data: "a: 1\n---\nb: 2\n" }, "documents", "all"],
  ["yaml-to-json", { data: "a: !Ref b\n" }, "tags", "keep"],
  ["yaml-to-json", { data: "a: !Ref b\n" }, "tags", "cloudformation"],
  ["yaml-to-json", { data: "a: !Ref b\n" }, "tags", "drop"],
  ["yaml-to-json", { data: "1: a\n" }, "keys", "stringify"],
  ["yaml-to-json", { data: "a: 1\n<<: 2\n" }, "merge", false],
  ["json-formatter", { data: '{"a":1 /* b */}' }, "dialect", "jsonc"],
  ["ndjson-to-json", { data: "{}\nx\n" }, "skipInvalid", true],
  ["env-to-json", { data: "A=1\nA=2\n" }, "duplicateKeys", "last"],
  ["data-converter", { data: "[a]\nb=1\nb=2\n", from: "ini", to: "json" }, "duplicateKeys", "last"],
  ["data-converter", { data: "[a]\nb=1\nb=2\n", from: "ini", to: "json" }, "duplicateKeys", "list"],
  ["csv-to-json", { data: "a,a\n1,2\n" }, "duplicateHeaders", "rename"],
  ["csv-to-json", { data: "a,b\n1\n" }, "ragged", "pad"],
  ["csv-to-json", { data: "a,b\n1\n" }, "ragged", "keep"],
  ["csv-to-json", { data: 'a,b\n1,"x" y\n' }, "quotes", "lenient"],
  ["url-decoder", { data: "100%" }, "keepMalformed", true],
  ["url-decoder", { data: "caf%E9" }, "charset", "windows-1252"],
  ["template-renderer", { data: "${A}", variables: "{}", syntax: "envsubst" }, "missing", "keep"],
  ["template-renderer", { data: "{{a}}", variables: "{}" }, "missing", "empty"],
  ["template-renderer", { data: "{{a}}", variables: "{}" }, "missing", "keep"],
  ["timestamp-converter", { data: "01/02/2026" }, "dateOrder", "month-first"],
  ["timestamp-converter", { data: "01/02/2026" }, "dateOrder", "day-first"],
  ["json-query", { data: '{"a":1}', query: "/a" }, "language", "pointer"],
  ["json-to-xml", { data: '{"a b":1}' }, "names", "replace"],
  ["xml-formatter", { data: "<a/><b/>", fragment: false }, "fragment", true],
  ["base64-decoder", { data: "YW*Jj" }, "skipInvalid", true],
  ["cron-parser", { data: "0 0 0 * * *" }, "seconds", true],
];

test.each(refused.filter(([slug]) => isChosen(slug)))(
  "%s %j is accepted with %s %j, as its refusal says",
  async (slug, input, option, value) => {
    const tool = await catalog.get(slug);
    const { message } = await refusalOf(runTool(tool, input));
    expect(message).toMatch(new RegExp(`\\b${option}\\b`));
    await runTool(tool, { ...input, [option]: value });
  },
);

test("each option that a description of a tool names in camel case is one of the tool", () => {
  const wrong = all.flatMap((tool) => {
    const fields = fieldsOf(tool.input);
    const names = new Set(fields.map(({ name }) => name));
    const texts = [tool.summary, ...fields.map(({ description }) => description)];
    return texts
      .flatMap((text) => text.match(/(?<![\w."'`/])[a-z]+[A-Z]\w*(?![\w.(])/g) ?? [])
      .filter((name) => !names.has(name) && !terms.has(name))
      .map((name) => `${tool.slug}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

/** Names of others that are written so. */
const terms = new Set([
  "tabularLeft",
  "tabularRight",
  "encodeURIComponent",
  "kB",
  "apiKey",
  "messageExpression",
]);

test("each option of a tool that a command in the documents gives exists", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const path of [...list("docs", ".md"), "README.md"]) {
    for (const [whole, slug = "", rest = ""] of read(path).matchAll(
      /\bpenknife (?:run|check) ([a-z\d]+(?:-[a-z\d]+)+)((?: [^|`\n;&#]*)?)/g,
    )) {
      const tool = all.find((one) => one.slug === slug);
      if (tool === undefined) continue;
      const flags = fieldsOf(tool.input).map(({ name }) =>
        name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      );
      for (const [, flag = ""] of rest.matchAll(/(?<=\s)--([a-z][a-z\d-]*)/g)) {
        count++;
        const name = flag.replace(/^no-/, "").replace(/-file$/, "");
        if (!flags.includes(name) && !flags.includes(flag) && !ofCommand.has(flag))
          wrong.push(`${path}: ${whole}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(5);
});

/** Options of `penknife run` and `penknife check` themselves. */
const ofCommand = new Set(
  "text json out output format fix diff staged changed watch server key-file include-ignored max-warnings baseline write-baseline checks-from against key config raw file in help quiet each jobs insecure checks all-errors color stdin-filename".split(
    " ",
  ),
);
