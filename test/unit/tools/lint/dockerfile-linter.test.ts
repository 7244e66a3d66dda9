import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { detect } from "../../../../src/lib/detect/detect.ts";
import { dockerfileRules } from "../../../../src/lib/dockerfile/rules.ts";
import tool from "../../../../src/tools/lint/dockerfile-linter.ts";
import { runTool } from "../run-tool.ts";
import { mistakes } from "./dockerfile-linter-mistakes.ts";

interface Options {
  ignore?: string[];
  trustedRegistries?: string[];
  pin?: string;
  labels?: string[];
}

const lint = async (data: string, options: Options = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Report;

/** Rules with their lines. */
const found = async (data: string, options?: Options): Promise<string[]> =>
  (await lint(data, options)).errors.map(({ rule, line }) => `${rule} ${line}`);

const from = "FROM debian:12.4\n";

test.each(mistakes)("%s: %s", async (_, _what, text, rule) => {
  const rules = await found(text);
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});

test("at least a hundred of the planted mistakes are found", () => {
  expect(mistakes.filter(([, , , rule]) => rule !== undefined).length).toBeGreaterThanOrEqual(100);
});

test("each rule finds a planted mistake, or has a test of its own here", () => {
  const planted = new Set(mistakes.map(([, , , rule]) => rule?.split(" ")[0]));
  const own = ["image-digest", "trusted-registry", "label-missing", "label-value"];
  expect(Object.keys(dockerfileRules).filter((rule) => !planted.has(rule) && !own.includes(rule))).toEqual(
    [],
  );
});

test("each number of hadolint that a rule has is that of a planted mistake, or of a label's format", () => {
  const planted = new Set(mistakes.map(([number]) => number));
  const numbers = Object.values(dockerfileRules).flatMap((names): string[] => [...names]);
  const missing = numbers.filter((name) => name.startsWith("DL") && !planted.has(name));
  expect(missing.toSorted()).toEqual(
    ["DL3026", "DL3049", "DL3051", "DL3052", "DL3053", "DL3054", "DL3055", "DL3056", "DL3058"].toSorted(),
  );
});

test("the document for people who come from hadolint has a row for each rule", () => {
  const document = readFileSync(new URL("../../../../docs/from.md", import.meta.url), "utf8");
  const rows = new Map(
    [...document.matchAll(/^\| `([a-z-]+)` \| ([^|]*) \|/gm)].map(([, rule = "", names = ""]) => [
      rule,
      names,
    ]),
  );
  for (const [rule, names] of Object.entries(dockerfileRules))
    for (const name of names) expect(rows.get(rule) ?? `no row ${rule}`).toContain(name);
  expect(Object.keys(dockerfileRules).filter((rule) => !rows.has(rule))).toEqual([]);
});

test("a finding has its place in the document, where lines continue, too", async () => {
  const data = `# É\n${from}RUN true && \\\n  # why\n    sudo make\n`;
  const { errors } = await lint(data);
  expect(errors).toEqual([
    {
      message: "RUN has the rights of the last USER; switch by USER root, and leave sudo out (DL3004).",
      severity: "warning",
      rule: "sudo",
      line: 5,
      column: 5,
      offset: Buffer.byteLength(data.slice(0, data.indexOf("sudo"))),
      pointer: "",
    },
  ]);
});

test.each([
  ["hadolint's number", "# hadolint ignore=DL3004\n"],
  ["several of them, with a reason", "# hadolint ignore=DL3008, DL3004 # there is no other way\n"],
  ["the name of the rule", "# penknife ignore=sudo\n"],
  ["a comment for the whole file, below", "# penknife global ignore=DL3004\n"],
])("a comment with %s ignores a rule", async (_, comment) => {
  expect(await found(`${from}${comment}RUN sudo make\n`)).toEqual([]);
});

test("a comment is for the next instruction only", async () => {
  expect(await found(`${from}# hadolint ignore=DL3004\nRUN sudo make\nWORKDIR /\nRUN sudo make\n`)).toEqual([
    "sudo 5",
  ]);
});

test("a comment between the lines of an instruction is for that instruction", async () => {
  expect(await found(`${from}RUN true && \\\n# hadolint ignore=DL3004\n  sudo make\n`)).toEqual([]);
});

test("a comment ignores the number that fits, and not the others of its rule", async () => {
  const data = `${from}# hadolint ignore=DL3018\nRUN pip install --no-cache-dir django\n`;
  expect(await found(data)).toEqual(["package-pin 3"]);
});

test("BuildKit's directive skips checks by their names", async () => {
  const data = "FROM debian:12\nCMD a\n";
  expect(await found(`# check=skip=JSONArgsRecommended;error=true\n${data}`)).toEqual([]);
  expect(await found(`# check=skip=all\n${data}`)).toEqual([]);
});

test.each([["DL3004"], ["dl3004"], ["sudo"]])("the option ignore takes %s", async (name) => {
  expect(await found(`${from}RUN sudo make\n`, { ignore: [name] })).toEqual([]);
});

test("the option ignore takes the numbers of rules that do not exist here", async () => {
  expect(
    await found(`${from}RUN sudo make\n`, { ignore: ["DL3057", "SC2086", "UndefinedArgInFrom"] }),
  ).toEqual(["sudo 2"]);
});

test("an unknown rule in ignore is refused with the nearest name", async () => {
  await expect(lint(from, { ignore: ["sudoo"] })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining('"sudoo" is no rule. Did you mean sudo?') as string,
  });
});

test("images of other registries than the trusted ones are errors", async () => {
  const data =
    "FROM debian:12 AS a\nFROM example.com/b:1 AS b\nFROM x.example.org/c:1\nFROM a\nFROM scratch\n";
  expect(await found(data, { trustedRegistries: ["*.example.org"] })).toEqual([
    "trusted-registry 1",
    "trusted-registry 2",
  ]);
  expect(await found(data, { trustedRegistries: ["docker.io", "*.example.org", "example.com"] })).toEqual([]);
  expect(await found(data, { trustedRegistries: ["*"] })).toEqual([]);
});

test("pin decides what an image must be named by", async () => {
  const data = "FROM debian\nFROM debian:12\nFROM debian:12@sha256:abc\nFROM debian:$V\n";
  expect(await found(`ARG V\n${data}`)).toEqual(["image-tag 2"]);
  expect(await found(`ARG V\n${data}`, { pin: "digest" })).toEqual(["image-digest 2", "image-digest 3"]);
  expect(await found(`ARG V\n${data}`, { pin: "off" })).toEqual([]);
});

test.each([
  ["text", "", "DL3051"],
  ["url", "a b", "DL3052"],
  ["rfc3339", "2026-13-01", "DL3053"],
  ["spdx", "MIT or so", "DL3054"],
  ["hash", "xyz", "DL3055"],
  ["semver", "1.2", "DL3056"],
  ["email", "a@b", "DL3058"],
])("a label of the format %s is compared with it", async (format, value, number) => {
  const data = `${from}LABEL a.b="${value}"\n`;
  const { errors } = await lint(data, { labels: [`a.b:${format}`] });
  expect(errors.map(({ rule, severity, line }) => `${rule} ${severity} ${line}`)).toEqual([
    "label-value error 2",
  ]);
  expect(errors[0]?.message).toContain(number);
});

test("labels are required of the last stage and those it begins with", async () => {
  const data = "FROM debian:12 AS a\nLABEL one=1\nFROM debian:12 AS b\nLABEL two=2\nFROM a\n";
  expect(await found(data, { labels: ["one", "two:text"] })).toEqual(["label-missing 5"]);
});

test("a label's format that does not exist is refused", async () => {
  await expect(lint(from, { labels: ["a:uri"] })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("is no format of a label") as string,
  });
});

const sound: [string, string][] = [
  ["heredocs", "FROM a:1\nRUN <<EOF\nset -e\nmake\nEOF\nCOPY <<'ONE' <<-TWO /etc/\na\nONE\n\tb\n\tTWO\n"],
  ["a heredoc for another program", "FROM a:1\nRUN python3 <<EOF\nimport os; sudo = 1\nEOF\n"],
  ["a script with an interpreter", "FROM a:1\nRUN <<EOF\n#!/usr/bin/env python3\nsudo = 1 | 2\nEOF\n"],
  ["the escape character of Windows", "# escape=`\nFROM a:1\nRUN dir `\n  C:\\ | more\n"],
  ["PowerShell", 'FROM a:1\nSHELL ["powershell", "-Command"]\nRUN Get-Item a | Select-Object b\n'],
  [
    "a shell that a comment names",
    "FROM a:1\n# hadolint shell=powershell\nRUN Get-Item a | Select-Object b\n",
  ],
  [
    "an alternative in a pattern of case",
    "FROM a:1\nRUN case $a in b|c) make ;; *) exit 1 ;; esac && make\n",
  ],
  ["an alternative in a test", "FROM a:1\nRUN [[ $a =~ (b|c) ]] && make\n"],
  ["a pipe in quotes", "FROM a:1\nRUN sed -i 's|a|b|' c && echo \"a | b\"\n"],
  ["sudo in quotes and as an argument", "FROM a:1\nRUN echo 'sudo a' && echo sudo && rm sudo\n"],
  ["pipefail in the script", "FROM a:1\nRUN set -o pipefail && a | b\n"],
  [
    "a mounted cache",
    "FROM a:1\nRUN --mount=type=cache,target=/root/.cache/pip pip install -r requirements.txt\n",
  ],
  ["the variable of pip", "FROM a:1\nENV PIP_NO_CACHE_DIR=1\nRUN pip install -r requirements.txt\n"],
  [
    "caches in a stage that is only copied from",
    "FROM a:1 AS b\nRUN yarn install\nFROM a:1\nCOPY --from=b /a /a\n",
  ],
  ["ADD of an archive and an address", "FROM a:1\nADD a.tar.gz /a/\nADD https://example.com/a /a/\n"],
  ["an image of another registry as a source", "FROM a:1\nCOPY --from=example.com/b:1 /a /a\n"],
  ["arguments with defaults", "ARG V=1\nFROM a:${V}\nFROM a:${W:-2}\nFROM --platform=$BUILDPLATFORM a:1\n"],
  ["labels over several lines", 'FROM a:1\nLABEL a="b c" \\\n  d=e\n'],
  ["a byte order mark and Windows line ends", "\ufeffFROM a:1\r\nRUN a \\\r\n  && b\r\n"],
  ["lower-case instructions", "from a:1\nrun a\n"],
  ["a test of the shell", "FROM a:1\nRUN [ -f a ] && [ -f b ]\n"],
];

test.each(sound)("nothing is found in %s", async (_, data) => {
  expect(await found(data)).toEqual([]);
});

test("names of the prototype of objects are names like others", async () => {
  const data =
    "FROM a:1 AS constructor\nFROM a:1 AS __proto__\nLABEL constructor=a\nENV __proto__=b toString=$valueOf\nCOPY --from=hasOwnProperty a /b\n";
  expect(await found(data)).toEqual(["arguments 2", "unknown-stage 5"]);
  expect(await found(`${from}HASOWNPROPERTY a\n`)).toEqual(["unknown-instruction 2"]);
});

test("at most 100 errors are reported, and warnings take no room of them", async () => {
  const { errors } = await lint(`${"RUN sudo a\n".repeat(500)}${"RUNN a\n".repeat(500)}`);
  expect(errors).toHaveLength(100);
  expect(new Set(errors.map(({ severity }) => severity))).toEqual(new Set(["error"]));
});

test.each([
  ["# syntax=docker/dockerfile:1\nARG V=1\nFROM a:$V AS b\nRUN c\n", true],
  ["from a\ncopy b /c\n", true],
  ["FROM a:1\n", true],
  ["SELECT a\nFROM b\nWHERE c\n", false],
  ["From Paris with love\nRun away\n", false],
  ["FROM users\n", false],
])("detection takes %j for a Dockerfile: %s", async (text, is) => {
  const { guesses } = await detect(Buffer.from(text));
  expect(guesses[0]?.kind === "dockerfile").toBe(is);
});
