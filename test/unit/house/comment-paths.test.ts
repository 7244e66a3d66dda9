import { globSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { commentsOf } from "./imports.ts";

const root = new URL("../../../", import.meta.url);
const files = globSync("{src,test,config}/**/*", {
  cwd: root,
  exclude: (path) => /(?:^|\/)node_modules(?:\/|$)/.test(path),
})
  .map((path) => path.replaceAll("\\", "/"))
  .concat(globSync("{docs/**/*,.ci/*,.*ignore,*}", { cwd: root, exclude: ["node_modules", "dist"] }));
const paths = new Set(files);

/** The paths of this repository that a text names, without a trailing point; names in capitals stand for any name. */
const named = (comment: string): string[] =>
  [...comment.matchAll(/(?<![\w/.@:*-])(?:src|test|config|docs)\/[\w./@-]*\w(?![\w*{])/g)]
    .map(([path]) => path)
    // A source file may be named by the end of its path.
    .concat([...comment.matchAll(/(?<![\w/.@:*}-])[a-z][\w./-]*\.tsx?\b/g)].map(([path]) => path))
    .filter((path) => !/\/[A-Z]+(?:[./]|$)/.test(path) || exists(path));

const exists = (path: string): boolean =>
  paths.has(path) || files.some((file) => file.endsWith(`/${path}`) || file.startsWith(`${path}@`));

const isFile = (path: string): boolean => statSync(new URL(path, root)).isFile();

/** The comments of a script, a configuration or a Makefile. */
const hashComments = (text: string): string[] =>
  Array.from(text.matchAll(/(?:^|\s)#[^\n]*/g), ([comment]) => comment);

/** The prose of a document; blocks of code are examples. */
const proseOf = (text: string): string[] => [text.replaceAll(/^( *)```[^]*?^\1```$/gm, "")];

/** The parts of each kind of file that name paths. `docs/tools` is written from the examples of the tools. */
const kinds: { files: RegExp; except?: RegExp; read: (text: string) => string[] }[] = [
  { files: /\.tsx?$/, read: commentsOf },
  {
    files: /\.(?:ya?ml|sh|conf|service)$|^(?:Makefile|Dockerfile|\.dockerignore|\.gitignore|\.ci\/run)$/,
    read: hashComments,
  },
  { files: /^(?:(?:docs|config)\/.*|[^/]+)\.md$/, except: /^docs\/tools\//, read: proseOf },
];

test.each(kinds)(
  "each path that files of $files name in comments or prose exists",
  ({ files: of, except, read }) => {
    const sources = files.filter((path) => of.test(path) && except?.test(path) !== true && isFile(path));
    expect(sources.length).toBeGreaterThan(10);
    const missing = sources.flatMap((file) =>
      read(readFileSync(new URL(file, root), "utf8"))
        .flatMap(named)
        .filter((path) => !exists(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  },
);

test.each<[(text: string) => string[], string, string[]]>([
  [
    hashComments,
    "# see config/gone.sh\nrun: config/left-out.sh # as config/lost.sh says",
    ["config/gone.sh", "config/lost.sh"],
  ],
  [hashComments, "# config/${NAME}.yaml, src/*/a.ts and docs/", []],
  [
    proseOf,
    "`docs/gone.md` and gone-too.ts\n```sh\ncp src/a.ts config/b\n```\n`src/tools/CATEGORY/SLUG.ts`",
    ["docs/gone.md", "gone-too.ts"],
  ],
])("%o reads %j", (read, text, missing) => {
  expect(
    read(text)
      .flatMap(named)
      .filter((path) => !exists(path)),
  ).toEqual(missing);
});

test.each([
  ["// See src/lib/gone.ts.", ["src/lib/gone.ts", "src/lib/gone.ts"]],
  ["/* `gone-for-good.ts` */", ["gone-for-good.ts"]],
  ['const glob = "src/**/a.ts"; // fine', []],
  ["// test/unit/house has it, and layers.test.ts too", []],
])("%s", (source, missing) => {
  expect(
    commentsOf(source)
      .flatMap(named)
      .filter((path) => !exists(path)),
  ).toEqual(missing);
});
