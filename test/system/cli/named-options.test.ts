import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadOperations } from "../../../src/operations/index.ts";
import { sections } from "../../../src/options.ts";
import type { Command } from "../../../src/surfaces/cli/command.ts";
import { commandsOf } from "../../../src/surfaces/cli/find-command.ts";
import { root } from "../../../src/surfaces/cli/root.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { createTestHost } from "./host.ts";

const operations = await loadOperations();

const { host } = createTestHost();
const top = new URL("../../../", import.meta.url);
const list = (folder: string, ends: RegExp): string[] =>
  readdirSync(new URL(folder, top), { recursive: true, encoding: "utf8" })
    .filter((path) => ends.test(path))
    .map((path) => `${folder}/${path}`);

interface Text {
  path: string;
  text: string;
}
const read = (path: string): Text => ({ path, text: readFileSync(new URL(path, top), "utf8") });
const documents = [
  ...list("docs", /^[a-z-]+\.md$/),
  ...list("config", /^(?:ci\/.*|[a-z.]+\.(?:yaml|sh|service|timer))$/),
  "README.md",
  "SECURITY.md",
  "ARCHITECTURE.md",
]
  .filter((path) => /\.[a-z]+$/.test(path))
  .map(read);
/** The strings of the sources that have a space: messages, help and templates of them. */
// The style of the editor has variables of CSS.
const messages = list("src", /(?<!\/style)\.tsx?$/).map((path): Text => {
  const { text } = read(path);
  const tokens = text.matchAll(
    /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*(?=[.,;)\s])/g,
  );
  const strings = Array.from(tokens, ([token]) => token).filter((token) => /^["`].* /s.test(token));
  return { path, text: strings.join("\n").replaceAll(/\$\{[^{}]*\}/g, "") };
});

interface Node {
  options: ReadonlySet<string>;
  below: ReadonlyMap<string, Node>;
}

/** The options of a command and of those that run in its place, as they are written. */
async function toNode(command: Command, isTool = false): Promise<Node> {
  const { instead, otherwise, twins = [] } = command;
  const others = [await instead?.load(), await otherwise?.()].filter((one) => one !== undefined);
  const options = new Set(["help", "config", "data", "no-color", ...(instead ? [instead.option] : [])]);
  for (const { args = {}, twins: more = [] } of [command, ...others]) {
    for (const name of Object.keys(args as object))
      for (const no of ["", "no-"]) options.add(no + toFlag(name));
    for (const { text, file } of [...twins, ...more])
      for (const name of [text, file ?? text]) options.add(toFlag(name));
  }
  // The document of every tool.
  if (isTool) options.add("text");
  const below = new Map<string, Node>();
  for (const [word, load] of Object.entries((await commandsOf(command, host)) ?? {}))
    below.set(word, await toNode(await load(), command.kind === "tool"));
  return { options, below };
}

const tree = await toNode(root);
const everyOption = new Set<string>();
(function collect({ options, below }: Node): void {
  for (const option of options) everyOption.add(option);
  for (const node of below.values()) collect(node);
})(tree);

test("each option that a call of penknife gives, in documents and messages, is one of its command", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { path, text } of [...documents, ...messages]) {
    for (const [whole] of text.matchAll(/\bpenknife(?: (?![|&<>])(?:"[^"\n]*"|'[^'\n]*'|[^\s`|;&"')]+))+/g)) {
      // A full stop ends a call in a sentence.
      const call = whole.replace(/[.:,](?: .*)?$/, "");
      const words = call.split(" ").slice(1);
      let node = tree;
      for (const word of words) {
        const next = node.below.get(word);
        if (next === undefined) break;
        node = next;
      }
      if (node === tree) continue;
      for (const word of words) {
        const option = /^--([a-z][a-z\d-]*)/.exec(word)?.[1];
        if (option === undefined) continue;
        count++;
        if (!node.options.has(option)) wrong.push(`${path}: ${call}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

/** Options of docker, oasdiff, spectral, oauth2-proxy, node, git, curl, base64, xmllint, helm, gron and jq; penknife jq refuses the last two, and the three before change nothing. */
const foreign = new Set(
  "wait set-xauthrequest allow-fs-read max-semi-space-size unshallow filter refetch depth global add env-file ulimit fail-with-body data-binary decode noout xpath relaxng rawfile monochrome-output binary unbuffered argfile stream-errors set set-string ungron parser fail-on-warn combine err-ignore warn-ignore fail-severity severity-levels deprecation-days-stable fail summary builtin-schema lockfile-version package-lock-only flatten-allof match-path filter-extension prefix-base strip-prefix-revision trusted-registry require-label strict-labels failure-threshold no-fail no-install-recommends retries mount platform no-cache no-cache-dir progress no-log-init".split(
    " ",
  ),
);

test("each option that a document or a message names alone is one of a command", () => {
  const wrong: string[] = [];
  let count = 0;
  const check = (path: string, found: Iterable<RegExpMatchArray>): void => {
    for (const [, option = ""] of found) {
      count++;
      if (!everyOption.has(option) && !foreign.has(option)) wrong.push(`${path}: --${option}`);
    }
  };
  for (const { path, text } of documents) check(path, text.matchAll(/`--([a-z][a-z\d-]*)[^`\n]*`/g));
  // Pages also name properties of their style sheets: var(--muted).
  for (const { path, text } of messages) check(path, text.matchAll(/(?<![\w-]|var\()--([a-z][a-z\d-]*)/g));
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(250);
});

const names = new Set(
  Object.entries(sections).flatMap(([section, options]) =>
    Object.keys(options).map((name) => `${section}.${name}`),
  ),
);
const section = `(?:${Object.keys(sections).join("|")})`;

/** Names beside the options: topics of doctor, operations of the administration, and a file in an example. */
const topics = new Set(["storage.lock", "log.ndjson", ...operations.map(({ name }) => name)]);

/** A name in prose: no file, no member of a value, and no list of names. */
const named = new RegExp(
  `(?<=^|[\\s("\`])(${section}\\.(?!(?:ts|md)\\b)[a-z]\\w*)(?![\\w(/-]|\\.[a-z])`,
  "gm",
);

test("each option of the configuration that a document or a message names exists", () => {
  const wrong: string[] = [];
  let count = 0;
  const check = (path: string, found: Iterable<RegExpMatchArray>): void => {
    for (const [, name = ""] of found) {
      count++;
      if (!names.has(name) && !topics.has(name)) wrong.push(`${path}: ${name}`);
    }
  };
  for (const { path, text } of documents) {
    check(path, text.matchAll(new RegExp(`\`(${section}\\.(?!ts\\b)[a-z]\\w*)(?=[\`: =])`, "g")));
    if (path.endsWith(".yaml"))
      for (const [comment] of text.matchAll(/#.*/g)) check(path, comment.matchAll(named));
  }
  for (const { path, text } of messages) check(path, text.matchAll(named));
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

test("each variable of the environment that a document or a message names exists", () => {
  const wrong: string[] = [];
  const known = new Set([
    ...[...names].map(
      (name) =>
        `PENKNIFE_${name
          .replace(".", "_")
          .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
          .toUpperCase()}`,
    ),
    ...others,
  ]);
  for (const { path, text } of [...documents, ...messages])
    for (const [name] of text.matchAll(/\bPENKNIFE_[A-Z_]+[A-Z]\b/g))
      if (!known.has(name) && !known.has(name.replace(/_FILE$/, ""))) wrong.push(`${path}: ${name}`);
  expect(wrong).toEqual([]);
});

/** Variables that are no option of the configuration. */
const others = ["PENKNIFE_CONFIG", "PENKNIFE_KEY", "PENKNIFE_URL", "PENKNIFE_DEBUG"];
