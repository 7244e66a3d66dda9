import { isFixer } from "../catalog/change.ts";
import type { Answer } from "../catalog/execute.ts";
import { diffText } from "../lib/diff/text-diff.ts";
import type { CheckHooks, FileToCheck } from "./check-files.ts";
import { isAboutFile } from "./rule-id.ts";
import { passes } from "./severity.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

/** Leaves out findings on lines that have not changed. */
export interface LineFilter {
  /** Narrows what formatters report to the lines that they would change. */
  hooks: CheckHooks;
  /** @param bytes The document of the verdicts. */
  keep(
    file: FileToCheck,
    verdicts: readonly CheckedFile[],
    bytes: Uint8Array,
  ): Promise<readonly CheckedFile[]>;
}

/** Reports whether a line of a document, from 1, has changed. */
type LineTest = (line: number) => boolean;

export function createLineFilter(): LineFilter {
  const tests = new WeakMap<FileToCheck, Promise<LineTest>>();
  const testOf = (file: FileToCheck, bytes: Uint8Array): Promise<LineTest> => {
    const test = tests.get(file) ?? findChangedLines(file, bytes);
    tests.set(file, test);
    return test;
  };
  return {
    hooks: {
      form: "fix",
      async afterCheck({ file, check, verdict, answer, bytes }) {
        if (!isFixer(check.tool) || answer?.report?.valid !== false) return { verdict, bytes };
        return {
          verdict: narrow(verdict, await findFormatted(answer, bytes, await testOf(file, bytes))),
          bytes,
        };
      },
      afterFile: async (_file, verdicts, _read, bytes) => ({ verdicts, bytes }),
    },
    async keep(file, verdicts, bytes) {
      if (verdicts.every(({ errors }) => errors.length === 0)) return verdicts;
      const hasChanged = await testOf(file, bytes);
      return verdicts.map((verdict) => keepChanged(verdict, hasChanged));
    },
  };
}

/** Larger documents have changed as a whole. */
const maxBytes = 16 * 1024 * 1024;

async function findChangedLines({ before }: FileToCheck, bytes: Uint8Array): Promise<LineTest> {
  const old = await before?.();
  if (old === undefined || old.length > maxBytes || bytes.length > maxBytes) return () => true;
  const { added, removed } = await compareLines(toText(old), toText(bytes));
  // A removed line was between two others, and one of them may lack it now.
  for (const line of removed) added.add(line).add(line + 1);
  return (line) => added.has(line);
}

/** Returns the lines of the new text that the old one does not have, and those behind which lines are gone; from 1. */
async function compareLines(
  before: string,
  after: string,
): Promise<{ added: Set<number>; removed: Set<number> }> {
  const options = { unit: "line", ignoreWhitespace: false, ignoreEol: true, ignoreCase: false } as const;
  const changes = await diffText(withEnd(before), withEnd(after), options);
  const added = new Set<number>();
  const removed = new Set<number>();
  for (const [index, { op, units, now }] of changes.entries()) {
    if (op === "insert") for (let line = 1; line <= units.length; line++) added.add(now + line);
    else if (op === "delete" && changes[index + 1]?.op !== "insert") removed.add(now);
  }
  return { added, removed };
}

const withEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** The first line that has changed, of those that a formatter would change. */
async function findFormatted(
  { body }: Answer,
  bytes: Uint8Array,
  hasChanged: LineTest,
): Promise<number | undefined> {
  if (!(body instanceof Uint8Array) || bytes.length > maxBytes) return 1;
  // Seen from the result, the lines of the document are those that are added.
  const { added, removed } = await compareLines(toText(body), toText(bytes));
  for (const line of removed) added.add(Math.max(1, line));
  return [...added].toSorted((a, b) => a - b).find(hasChanged);
}

/** Moves the finding of a formatter to the line; leaves it out if there is none. */
function narrow(verdict: CheckedFile, line: number | undefined): CheckedFile {
  const { tool, errors } = verdict;
  const own = errors.filter(({ rule }) => isAboutFile(tool, rule));
  const others = errors.filter(({ rule }) => !isAboutFile(tool, rule));
  if (line === undefined) return without(verdict, others, own.length);
  const moved = own.map((finding): FileFinding => (finding.line === line ? finding : toLine(finding, line)));
  return { ...verdict, errors: [...others, ...moved] };
}

/** Without an offset, which is that of another place. */
const toLine = ({ message, severity, rule }: FileFinding, line: number): FileFinding => ({
  message: message.replace(" from here on", " here"),
  severity,
  rule,
  line,
  column: 1,
});

function keepChanged(verdict: CheckedFile, hasChanged: LineTest): CheckedFile {
  const { errors, failed, unread } = verdict;
  if (failed === true || unread === true) return verdict;
  // A finding without a line is about the document, which has changed.
  const left = errors.filter(({ line }) => line === undefined || hasChanged(line));
  return left.length === errors.length ? verdict : without(verdict, left, errors.length - left.length);
}

const without = (verdict: CheckedFile, left: readonly FileFinding[], gone: number): CheckedFile => ({
  ...verdict,
  valid: passes(left),
  errors: left,
  unchanged: (verdict.unchanged ?? 0) + gone,
});

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
