import { isFixer } from "../../catalog/change.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Answer, ToolCall } from "../../catalog/execute.ts";
import { applyIgnores } from "../../checks/apply-ignores.ts";
import {
  type Check,
  checkFiles,
  type CheckRunner,
  type FileToCheck,
  type ReadFile,
} from "../../checks/check-files.ts";
import { createFixer } from "../../checks/fix/fixer.ts";
import { toRuleId } from "../../checks/rule-id.ts";
import { toTooLarge } from "../../checks/source.ts";
import type { CheckedFile, FileFinding } from "../../checks/verdict.ts";
import { limitOf } from "../../checks/plan.ts";
import type { FileChecks } from "./folder.ts";
import type { Position, Range, TextDocument } from "./text-document.ts";

export interface CheckDeps {
  catalog: Catalog;
  run(call: ToolCall, signal: AbortSignal): Promise<Answer>;
}

/** One finding, as LSP has it. */
export interface Diagnostic {
  range: Range;
  /** 1 is an error, 2 a warning. */
  severity: 1 | 2;
  code: string;
  source: "penknife";
  message: string;
}

/** Most diagnostics of a document; no person reads more. */
const maxDiagnostics = 1000;

/** A document with its checks. */
export interface Checked extends FileChecks {
  document: TextDocument;
}

/** Runs the checks of a document on its text. @throws ToolError if an option of the list is at fault */
export async function checkDocument(
  { name, checks, readSettings, document }: Checked,
  deps: CheckDeps,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const verdicts: CheckedFile[] = [];
  const checked = checkFiles({
    files: [toFile(name, checks, document.text)],
    width: 1,
    readSettings,
    run: (call) => deps.run(call, signal),
    finish: (_, ended, bytes) => applyIgnores(ended, bytes, deps.catalog.has),
  });
  for await (const one of checked) verdicts.push(one);
  signal.throwIfAborted();
  return toDiagnostics(verdicts, document);
}

/**
 * Returns the text as the fixing tools of a document leave it, one after another, as `penknife check --fix` does; the same text if
 * they have nothing to change or do not agree.
 */
export async function fixDocument(
  { name, checks, readSettings, document }: Checked,
  deps: CheckDeps,
  signal: AbortSignal,
): Promise<string> {
  const fixers = fixersOf(checks);
  let fixed: Uint8Array | undefined;
  const runner: CheckRunner = { readSettings, run: (call) => deps.run(call, signal) };
  const write = async (_file: FileToCheck, _before: Uint8Array, after: Uint8Array): Promise<void> => {
    fixed = after;
  };
  const hooks = createFixer(runner, { write });
  const file = toFile(name, fixers, document.text);
  const checked = checkFiles({ files: fixers.length === 0 ? [] : [file], width: 1, ...runner, hooks });
  for await (const _ of checked) signal.throwIfAborted();
  return fixed === undefined ? document.text : Buffer.from(fixed).toString();
}

/** The checks of a document whose tools would change it. */
export const fixersOf = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ tool }) => isFixer(tool));

function toFile(name: string, checks: readonly Check[], text: string): FileToCheck {
  const read = async (): Promise<ReadFile> => {
    const bytes = Buffer.from(text);
    const limit = limitOf(checks);
    return bytes.length > limit.bytes ? toTooLarge(name, bytes.length, limit) : { bytes };
  };
  return { name, checks, read };
}

function toDiagnostics(verdicts: readonly CheckedFile[], document: TextDocument): Diagnostic[] {
  const findings = verdicts
    .flatMap(({ tool, errors }) => errors.map((finding) => ({ finding, code: toRuleId(tool, finding.rule) })))
    .toSorted((a, b) => (a.finding.offset ?? 0) - (b.finding.offset ?? 0))
    .slice(0, maxDiagnostics);
  const indexes = toIndexes(
    document.text,
    findings.map(({ finding }) => finding.offset ?? 0),
  );
  return findings.map(({ finding, code }, at) => ({
    range: rangeOf(document, indexes[at] as number, finding),
    severity: finding.severity === "error" ? 1 : 2,
    code,
    source: "penknife",
    message: finding.message,
  }));
}

/** Converts ascending byte offsets to indexes in UTF-16 code units, in one pass. */
function toIndexes(text: string, offsets: readonly number[]): number[] {
  const bytes = Buffer.from(text);
  let [from, index] = [0, 0];
  return offsets.map((offset) => {
    index += bytes.subarray(from, offset).toString().length;
    from = Math.max(from, offset);
    return index;
  });
}

/** From the place of a finding to the end of the word there. A place that is known by its line alone is the whole line. */
function rangeOf(document: TextDocument, index: number, { offset, line }: FileFinding): Range {
  const start: Position =
    offset === undefined && line !== undefined
      ? { line: line - 1, character: 0 }
      : document.positionOf(index);
  const from = document.indexOf(start);
  const { text } = document;
  const [word = ""] = /^(?:[\w.$@/-]{1,200}|[^\s])?/u.exec(text.slice(from, from + 200)) ?? [];
  return { start, end: document.positionOf(from + word.length) };
}
