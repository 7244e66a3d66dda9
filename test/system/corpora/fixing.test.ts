import { describe, expect, test } from "vitest";
import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import { isFixer } from "../../../src/catalog/change.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { type Body, execute } from "../../../src/catalog/execute.ts";
import { fieldsOf } from "../../../src/catalog/fields.ts";
import { tools } from "../../../src/tools/index.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { atHand, readCorpus, suites } from "../../unit/corpora/corpus.ts";

const fixers = (await createCatalog(tools).all()).filter(isFixer);

/** Every text of every suite, whatever it is: a tool that does not accept it leaves it. */
const documents = atHand ? readDocuments() : [];

function readDocuments(): string[] {
  const rows = Object.keys(suites).flatMap(readCorpus);
  const texts = rows
    .flatMap(({ input }) => Object.values(input))
    .filter((value) => typeof value === "string");
  return [...new Set(texts)].filter((text) => text.isWellFormed());
}

const context = { now: () => 0, random: (size: number) => new Uint8Array(size) };
type Options = [string, string][];

/** Returns the document as the tool leaves it; undefined if the tool refuses it. */
async function fix(tool: CatalogTool, document: string, options: Options): Promise<string | undefined> {
  const text = tool.runBytes === undefined;
  const body: Body = { kind: "raw", bytes: Buffer.from(document), text, options };
  try {
    const { valid, body: fixed } = await execute(tool, { body, form: "fix", check: true }, context);
    // A tool that fixes what it reports may report what it cannot fix, and returns no document then.
    const isLeft = valid === true || (tool.fix !== undefined && fixed.length === 0);
    return isLeft ? document : Buffer.from(fixed).toString();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Fixes each document twice, and returns the number that the first time changed and those that the second time did. */
async function fixTwice(tool: CatalogTool, texts: Iterable<string>, options: Options) {
  let changed = 0;
  const unsettled: { text: string; once: string; twice: string | undefined }[] = [];
  for (const text of texts) {
    const once = await fix(tool, text, options);
    if (once === undefined || once === text) continue;
    changed++;
    const twice = await fix(tool, once, options);
    if (twice !== once) unsettled.push({ text, once, twice });
  }
  return { changed, unsettled };
}

/** Has something for fixers of text, whichever documents the sample has. */
const untidy = "\u001b[1mb \u001b[0m\na\n";

/** Options of tools that change nothing by default. */
const requests: Readonly<Record<string, Options>> = {
  "editorconfig-checker": [
    [
      "editorconfig",
      "root = true\n[*]\nend_of_line = lf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\nindent_style = space\nindent_size = 2\n",
    ],
  ],
  "json-editor": [["edits", "added=1"]],
  "toml-editor": [["edits", "added=1"]],
  "yaml-editor": [["edits", "added=1"]],
};
const requestOf = ({ slug }: CatalogTool): Options => requests[slug] ?? [];

/** The documents of a tool's examples, which it changes. */
const ownDocuments = ({ examples }: CatalogTool): string[] =>
  examples.flatMap(({ input: { data } }) => (typeof data === "string" ? [data] : []));

describe("fixing twice is fixing once, so that what was fixed passes the check", () => {
  test.skipIf(!atHand).each(fixers.map((tool) => [tool.slug, tool] as const))("%s", async (_, tool) => {
    const texts = [untidy, ...ownDocuments(tool), ...cases(documents)].flatMap((text) => [
      text,
      text.replaceAll(/\r?\n/g, "\r\n"),
    ]);
    const { changed, unsettled } = await fixTwice(tool, texts, requestOf(tool));
    expect(unsettled).toEqual([]);
    expect(changed).toBeGreaterThan(0);
  });

  /** The operations of these options are repeated on each run; `check --fix` leaves such a file and says so. */
  const operations = ["line-sorter order=reverse", "line-sorter counts=true"];

  const variants = fixers.flatMap((tool) =>
    fieldsOf(tool.input).flatMap(({ name, type, list, values, default: usual }) => {
      const choices = type === "boolean" ? [String(usual !== true)] : list ? [] : (values ?? []);
      return choices.map((choice): [string, CatalogTool, Options] => [
        `${tool.slug} ${name}=${choice}`,
        tool,
        [...requestOf(tool), [name, choice]],
      ]);
    }),
  );

  /** Choices of one tool that all documents are fixed with; where a tool has more, such as dialects, each gets its share of them. */
  const fully = 8;

  test.skipIf(!atHand)("with each option of each tool", async () => {
    const unsettled: unknown[] = [];
    const texts = cases(documents, maxSeconds);
    for (const [at, [title, tool, options]] of variants.entries()) {
      const step = Math.ceil(variants.filter((one) => one[1] === tool).length / fully);
      const share = texts.filter((_, index) => index % step === at % step);
      const found = await fixTwice(tool, [untidy, ...share], options);
      if (operations.includes(title)) expect(found.unsettled).not.toEqual([]);
      else unsettled.push(...found.unsettled.map((one) => ({ title, ...one })));
    }
    expect(unsettled).toEqual([]);
    expect(variants.length).toBeGreaterThan(60);
  });
});

const withCrlf = (text: string | undefined): string | undefined => text?.replaceAll("\n", "\r\n");

test.skipIf(!atHand).each(fixers.filter(({ exact }) => !exact).map((tool) => [tool.slug, tool] as const))(
  "%s does the same to a document with CRLF as to one with LF",
  async (_, tool) => {
    for (const text of cases(documents)) {
      // The SQL library aligns the lines of a block comment only where it finds LF.
      if (
        text.includes("\r") ||
        !text.includes("\n") ||
        (tool.slug === "sql-formatter" && text.includes("/*"))
      )
        continue;
      expect(await fix(tool, text.replaceAll("\n", "\r\n"), [])).toBe(withCrlf(await fix(tool, text, [])));
    }
  },
);

test.each<[string, string, Options]>([
  ["sql-formatter", "- ? : x\n", [["dialect", "postgresql"]]],
  ["text-redactor", "1.2.3.4::5555", []],
  ["text-redactor", "192.0.2.1 [192.0.2.1]::1", []],
])("%s leaves its own result for %j", async (slug, text, options) => {
  const tool = fixers.find((one) => one.slug === slug) as CatalogTool;
  expect(await fixTwice(tool, [text], options)).toEqual({ changed: 1, unsettled: [] });
});
