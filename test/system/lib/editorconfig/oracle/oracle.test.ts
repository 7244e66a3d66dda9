import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEditorGlobs } from "../../../../../src/lib/editorconfig/glob.ts";
import { parseEditorConfig } from "../../../../../src/lib/editorconfig/parse.ts";
import { propertiesOf } from "../../../../../src/lib/editorconfig/properties.ts";
import { amount, drawSeed } from "../../../../support/cases.ts";

// The core of the EditorConfig project for JavaScript, which reads globs by minimatch. It takes // for one slash, and a slash in braces
// for one of each alternative alone, {a} in other braces for a, and names of keys that differ by case for two keys, so none of these is
// drawn.

type Parse = (
  path: string,
  files: { name: string; contents: Buffer }[],
) => Record<string, string | number | boolean>;

const parse = (
  (await import(new URL("node_modules/editorconfig/lib/index.js", import.meta.url).href)) as {
    parseFromFilesSync: Parse;
  }
).parseFromFilesSync;

const list = (text: string) => fc.constantFrom(...text.split(" "));
const simple = list("a b .c * ? [ab] [!a] [a-c] é");
const plain = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: list("{1..12} {-3..3} {a}") },
);
/** It takes the stars of two braces in a row for **. */
const starless = list("a b .c ? [ab] [!a] [a-c] é");
const inner = fc.oneof(
  starless,
  fc.tuple(starless, starless).map(([one, other]) => `{${one},${other}}`),
);
const atom = fc.oneof(
  { weight: 4, arbitrary: plain },
  {
    weight: 2,
    arbitrary: fc.array(inner, { minLength: 2, maxLength: 4 }).map((all) => `{${all.join(",")}}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("**", "/", "/**/", "\\{", "\\[") },
);
const glob = fc
  .array(atom, { minLength: 1, maxLength: 4 })
  .map((all) => all.join("").replaceAll(/\/{2,}/g, "/"))
  .filter((text) => text !== "/");
const name = list("a b ab a.c b.c abc .c 3 12 13 -2 {a} * é { [");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

test("globs match the same paths", () => {
  const drawn = fc.sample(fc.tuple(glob, fc.array(path, { minLength: 8, maxLength: 8 })), {
    numRuns: amount(400),
    seed: drawSeed(),
  });
  for (const [pattern, paths] of drawn) {
    const match = createEditorGlobs([pattern]);
    for (const one of paths) {
      const contents = Buffer.from(`root = true\n[${pattern}]\nk = v\n`);
      const theirs = parse(`/r/${one}`, [{ name: "/r/.editorconfig", contents }])["k"] === "v";
      expect([pattern, one, match(one).length > 0]).toEqual([pattern, one, theirs]);
    }
  }
});

const pair = fc.constantFrom(
  "indent_style = tab",
  "indent_style = SPACE",
  "indent_size = 2",
  "indent_size = tab",
  "indent_size = unset",
  "tab_width = 8",
  "tab_width = unset",
  "end_of_line = CRLF",
  "charset = utf-8-bom",
  "max_line_length = 80",
  "OTHER = Value ; x",
  "more = x",
  "more = unset",
  "# comment",
  "  ; comment",
  "",
);
const section = fc.tuple(
  fc.constantFrom("*", "*.c", "s/*", "{a,b}.c", "/a.c"),
  fc.array(pair, { maxLength: 4 }),
);
const config = fc
  .tuple(fc.boolean(), fc.array(section, { maxLength: 4 }), fc.constantFrom("\n", "\r\n"))
  .map(([root, sections, end]) =>
    [
      ...(root ? ["root = true"] : []),
      ...sections.flatMap(([header, pairs]) => [`[${header}]`, ...pairs]),
      "",
    ].join(end),
  );

test("files have the same settings by several files above them", () => {
  const drawn = fc.sample(fc.tuple(config, config, config, fc.constantFrom("a.c", "b.c", "x")), {
    numRuns: amount(400),
    seed: drawSeed(),
  });
  for (const [top, middle, low, file] of drawn) {
    const texts = [
      ["", top],
      ["s", middle],
      ["s/t", low],
    ] as const;
    const ours = propertiesOf(
      `s/t/${file}`,
      texts.map(([folder, text]) => ({ folder, config: parseEditorConfig(text) })),
    );
    const theirs = parse(
      `/r/s/t/${file}`,
      // It reads the nearest file first, and ours is the top.
      texts.toReversed().map(([folder, text], index, { length }) => ({
        name: `/r/${folder}${folder === "" ? "" : "/"}.editorconfig`,
        contents: Buffer.from(
          index === length - 1 && !text.startsWith("root") ? `root = true\n${text}` : text,
        ),
      })),
    );
    const asText = Object.fromEntries(
      Object.entries(theirs)
        .map(([key, value]): [string, string] => [key, String(value)])
        .filter(([, value]) => value.toLowerCase() !== "unset"),
    );
    expect({ texts, file, found: Object.fromEntries(ours) }).toEqual({ texts, file, found: asText });
  }
});
