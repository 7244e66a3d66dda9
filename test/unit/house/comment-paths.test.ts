import { globSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { commentsOf } from "./imports.ts";

const root = new URL("../../../", import.meta.url);
const files = globSync("{src,test,config}/**/*", {
  cwd: root,
  exclude: (path) => /(?:^|\/)node_modules(?:\/|$)/.test(path),
})
  .map((path) => path.replaceAll("\\", "/"))
  .concat(globSync("{docs/**/*,*}", { cwd: root, exclude: ["node_modules", "dist"] }));
const paths = new Set(files);

/** The paths of this repository that a comment names, without a trailing point. */
const named = (comment: string): string[] =>
  [...comment.matchAll(/(?<![\w/.@:*-])(?:src|test|config|docs)\/[\w./@-]*\w(?![\w*{])/g)]
    .map(([path]) => path)
    // A source file may be named by the end of its path.
    .concat([...comment.matchAll(/(?<![\w/.@:*}-])[a-z][\w./-]*\.tsx?\b/g)].map(([path]) => path));

const exists = (path: string): boolean =>
  paths.has(path) || files.some((file) => file.endsWith(`/${path}`) || file.startsWith(`${path}@`));

const sources = files.filter((path) => /\.tsx?$/.test(path) && statSync(new URL(path, root)).isFile());

test("each path that a comment names exists", () => {
  const missing = sources.flatMap((file) =>
    commentsOf(readFileSync(new URL(file, root), "utf8"))
      .flatMap(named)
      .filter((path) => !exists(path))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
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
