import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { lintDockerfile } from "../../../../../src/lib/dockerfile/lint.ts";
import { readDockerfile } from "../../../../../src/lib/dockerfile/read.ts";
import { lineOf } from "../../../../../src/lib/lines.ts";
import { atHand, corpora } from "../../../../unit/corpora/corpus.ts";
import { mistakes } from "../../../../unit/tools/lint/dockerfile-linter-mistakes.ts";

// dockerfile-utils validates the syntax of Dockerfiles with the parser dockerfile-ast. Both have to find the same instructions and the
// same errors; best practice is not its subject.

interface Diagnostic {
  severity: number;
  message: string;
  range: { start: { line: number } };
}

interface Parsed {
  getInstructions(): {
    getKeyword(): string;
    getRange(): { start: { line: number } };
    getArguments(): { getValue(): string }[];
  }[];
}

const require = createRequire(import.meta.url);
const { validate } = require("dockerfile-utils") as { validate(text: string): Diagnostic[] };
const { DockerfileParser } = require("dockerfile-ast") as {
  DockerfileParser: { parse(text: string): Parsed };
};

const options = { ignore: [], trustedRegistries: [], pin: "tag", labels: [] } as const;

/** Lines with an error here. */
const errorsOf = (text: string): number[] =>
  lintDockerfile(text, options)
    .filter(({ severity }) => severity === "error")
    .map(({ index }) => lineOf(text, index));

const errorsThere = (text: string): number[] =>
  validate(text)
    .filter(({ severity }) => severity === 1)
    .map(({ range }) => range.start.line + 1);

/** Mistakes that one of the two reports as an error and the other does not, and why. */
const differences: Record<string, string> = {
  "two stages of one name": "BuildKit warns only (DuplicateStageName)",
  "a port above 65535": "it accepts any number",
  "a range of ports up to one above": "it accepts any number",
  "a published port": "it accepts them as Docker's first builder did",
  "a stage further down": "it does not compare stages",
  "the number of a stage that does not exist": "the same",
  "a copy from the own stage": "the same",
  "an image in capitals": "it does not look at names of images",
  "RUN without a command": "the Dockerfile reference: RUN <command>",
  "a flag of another instruction": "it knows no flags of RUN",
  "a mount of an unknown type": "the same",
  "a mount with an unknown option": "the same",
  "a network that does not exist": "the same",
  "a heredoc without an end": "BuildKit: unterminated heredoc",
  "a directive that is given twice": "BuildKit: only one syntax parser directive can be used",
  "& before a semicolon": "it does not read scripts",
  "a quote that is not closed": "the same",
};

test.each(mistakes)("%s: %s is an error for both or for none", (_, what, text) => {
  const [here, there] = [errorsOf(text), errorsThere(text)];
  if (what in differences) expect(here.length > 0).not.toBe(there.length > 0);
  else expect([...new Set(here)]).toEqual([...new Set(there)]);
});

const instructionsOf = (text: string): string[] =>
  readDockerfile(text).instructions.map(({ keyword, index }) => `${lineOf(text, index)} ${keyword}`);

const instructionsThere = (text: string): string[] =>
  DockerfileParser.parse(text)
    .getInstructions()
    .map((one) => `${one.getRange().start.line + 1} ${one.getKeyword()}`);

test("both find the same instructions in the mistakes", () => {
  // Of a heredoc without its end it takes the rest of the file as an instruction, too.
  for (const [, , text] of mistakes) expect(instructionsOf(text)).toEqual(instructionsThere(text));
});

test.each([
  ["continued keywords and comments", "FROM a\nRUN b \\\n  # c\n\n  d\n# e\nCOPY f \\\n\n g\n"],
  ["heredocs", "FROM a\nRUN <<A <<-B\nFROM b\nA\n\tRUN\n\tB\nCOPY <<'C' /d\n# e\nC\nRUN f\n"],
  ["the other escape character", "# escape=`\nFROM a\nRUN b `\n c\nRUN d \\\nRUN e\n"],
  ["Windows line ends", "FROM a\r\nRUN b \\\r\n  c\r\nRUN d\r\n"],
  ["white space after the character that continues", "FROM a\nRUN b \\  \n  c\nRUN d\n"],
])("both find the same instructions with %s", (_, text) => {
  expect(instructionsOf(text)).toEqual(instructionsThere(text));
});

interface File {
  id: string;
  kind: string;
  text: string;
}

describe.skipIf(!atHand)("Dockerfiles of public projects", () => {
  const lines = atHand ? readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n") : [];
  const files = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as File)
    .filter(({ kind }) => kind === "dockerfile");

  test.each(files.map(({ id, text }) => [id, text]))("%s", (_, text) => {
    expect(instructionsOf(text)).toEqual(instructionsThere(text));
    expect(errorsThere(text)).toEqual([]);
    expect(errorsOf(text)).toEqual([]);
  });
});
