import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execute } from "../../../src/catalog/execute.ts";
import { formatYaml, type YamlFormat } from "../../../src/lib/yaml/format.ts";
import { loadYaml } from "../../../src/lib/yaml/parse.ts";
import unicodeLinter from "../../../src/tools/lint/unicode-linter.ts";
import yamlValidator from "../../../src/tools/lint/yaml-validator.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { cases } from "../../support/cases.ts";
import { plain } from "../../unit/lib/yaml/plain-format.ts";
import { context } from "../../unit/tools/run-tool.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";

const yaml = await loadYaml();

interface File {
  id: string;
  kind: string;
  text: string;
}

const yamlKinds = new Set(["kubernetes", "workflow", "compose", "openapi", "yaml-comments"]);

function readRealFiles(): File[] {
  const lines = readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n");
  const files = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as File);
  return files.filter(({ kind }) => yamlKinds.has(kind));
}

function readPackageFiles(): File[] {
  const folder = new URL("../../../node_modules", import.meta.url).pathname;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  return files.map((id) => ({ id, kind: "package", text: readFileSync(join(folder, id), "utf8") }));
}

interface Mark {
  source: string;
  line: number;
  column: number;
  first: boolean;
}

/** Reads what is not white space with the library's lexer alone, so that this test shares no code with the formatter. */
function lex(text: string): Mark[] {
  const marks: Mark[] = [];
  let line = 0;
  let column = 0;
  let first = true;
  for (const source of new yaml.Lexer().lex(text)) {
    // The lexer marks documents, scalars and flow with characters that are not in the text.
    if (source === "\u0002" || source === "\u0018" || source === "\u001f") continue;
    if (source.trim() !== "") {
      marks.push({ source, line, column, first });
      first = false;
    }
    const lines = source.split("\n");
    line += lines.length - 1;
    if (lines.length > 1) {
      column = 0;
      first = true;
    }
    column += lines.at(-1)?.length ?? 0;
  }
  return marks;
}

/** Every comment: its text, whether it has its own line, the content before and behind it, and its depth relative to the latter. */
function commentsOf(text: string): string[] {
  const marks = lex(text);
  const isComment = (mark: Mark | undefined): boolean => mark?.source.startsWith("#") === true;
  return marks.flatMap((mark, at) => {
    if (!isComment(mark)) return [];
    let before = at;
    let next = at;
    while (isComment(marks[before])) before--;
    while (isComment(marks[next])) next++;
    const follower = marks[next];
    // Commented items directly below a list at the column of its key go with the list, and are then deeper than the next key.
    let head = at;
    while (isComment(marks[head - 1]) && marks[head - 1]?.line === (marks[head]?.line ?? 0) - 1) head--;
    const isItem = /^#+ *-(?: |$)/.test(marks[head]?.source ?? "");
    const relation = follower === undefined ? 0 : Math.sign(mark.column - follower.column);
    const depth = isItem && relation === 1 ? 0 : relation;
    const near = [marks[before], follower].map((one) => one?.source.trim().split("\n")[0]);
    return [JSON.stringify([mark.source.trimEnd(), mark.first, near, mark.first ? depth : 0])];
  });
}

const valuesOf = (text: string): unknown =>
  yaml.parseAllDocuments(text, { logLevel: "silent" }).map((document) => document.toJS() as unknown);
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns what is wrong with the result of formatting a file. */
function faultsOf(text: string): string[] {
  const once = formatYaml(yaml, text, plain);
  const own = commentsOf(text);
  const other = commentsOf(once);
  const moved = own.findIndex((comment, at) => comment !== other[at]);
  const faults = moved < 0 ? [] : [`${own[moved]} became ${other[moved]}`];
  if (own.length !== other.length) faults.push(`${own.length} comments became ${other.length}`);
  if (formatYaml(yaml, once, plain) !== once) faults.push("a second time changes it");
  if (JSON.stringify(valuesOf(text)) !== JSON.stringify(valuesOf(once))) faults.push("other data");
  const trailing = /[ \t]+\r?$/gm;
  if (countOf(once, trailing) > countOf(text, trailing)) faults.push("new trailing white space");
  const blank = /^[ \t]*\r?\n/gm;
  if (countOf(once, blank) > countOf(text, blank)) faults.push("new blank lines");
  return faults;
}

const findAll = (files: readonly File[], find: (text: string) => string[]): string[] =>
  files.flatMap(({ id, text }) => find(text).map((fault) => `${id}: ${fault}`));

describe("yaml-formatter keeps every comment where it is", () => {
  test.skipIf(!atHand)(
    "in files of public projects",
    () => {
      const files = readRealFiles();
      expect(files).toHaveLength(259);
      expect(files.filter(({ kind }) => kind === "yaml-comments")).toHaveLength(88);
      expect(files.reduce((sum, { text }) => sum + commentsOf(text).length, 0)).toBeGreaterThan(4000);
      expect(findAll(cases(files), faultsOf)).toEqual([]);
    },
    120_000,
  );

  test("in the files of installed packages", () => {
    const files = readPackageFiles();
    expect(files.length).toBeGreaterThan(0);
    expect(findAll(files, faultsOf)).toEqual([]);
  }, 120_000);

  test.skipIf(!atHand)(
    "with every option, and a second time changes nothing",
    () => {
      const files = cases(readRealFiles());
      const options: Partial<YamlFormat>[] = [
        { indent: 4 },
        { sequences: "flush", blankLines: 0 },
        { quotes: "double", bracketSpacing: true },
        { quotes: "single", lineWidth: 80 },
        { sortKeys: true },
      ];
      const faults = options.flatMap((option) =>
        findAll(files, (text) => {
          const format = { ...plain, ...option };
          const once = formatYaml(yaml, text, format);
          const comments = lex(once).filter(({ source }) => source.startsWith("#")).length;
          return [
            ...(formatYaml(yaml, once, format) === once
              ? []
              : [`${JSON.stringify(option)} changes it again`]),
            ...(comments === commentsOf(text).length ? [] : [`${JSON.stringify(option)} loses comments`]),
          ];
        }),
      );
      expect(faults).toEqual([]);
    },
    240_000,
  );
});

/** The number of findings of each rule. */
async function findingsOf(tool: Tool, data: string): Promise<string[]> {
  const { body } = await execute(
    tool,
    { body: { kind: "input", input: { data } }, form: "json", check: false },
    context,
  );
  const { result } = JSON.parse(Buffer.from(body).toString()) as { result: string };
  const { errors } = JSON.parse(result) as { errors: { rule: string }[] };
  return errors.map(({ rule }) => rule).toSorted();
}

test.skipIf(!atHand)(
  "what yaml-formatter writes, yaml-validator and unicode-linter accept as they did before",
  async () => {
    const escaped = { id: "escapes", kind: "", text: 'a:   "\\u202E\\u2066\\N\\uD83D\\uDE00"\n' };
    for (const { id, text } of [escaped, ...cases(readRealFiles())]) {
      const formatted = formatYaml(yaml, text, plain);
      for (const tool of [yamlValidator, unicodeLinter] as Tool[])
        expect({ id, rules: await findingsOf(tool, formatted) }).toEqual({
          id,
          rules: await findingsOf(tool, text),
        });
    }
  },
  120_000,
);
