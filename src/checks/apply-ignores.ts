import type { AddedTest } from "./added-comments.ts";
import { findForeignComments, type ForeignComment, mayHaveForeignComments } from "./foreign-comments.ts";
import { findIgnoreComments, type IgnoreComment, ignoreWord } from "./ignore-comments.ts";
import { isAboutFile, toRuleId } from "./rule-id.ts";
import { aliasesOf, isRuleOf, passes } from "./severity.ts";
import type { CheckedFile, FileFinding, SuppressedFinding } from "./verdict.ts";

/**
 * Moves the findings that comments in the document ignore to the suppressed ones, and adds a verdict of our own if a comment
 * is invalid or ignores nothing.
 * @param verdicts All verdicts of one file.
 * @param isTool Whether a slug is that of a tool.
 * @param added The comments that are new since a commit, which ignore nothing: a change cannot pass itself.
 */
export function applyIgnores(
  verdicts: readonly CheckedFile[],
  bytes: Uint8Array,
  isTool: (slug: string) => boolean,
  added?: { since: string; test: AddedTest } | undefined,
): readonly CheckedFile[] {
  const [first] = verdicts;
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Nearly every document ends here.
  if (first === undefined || !mayIgnore(document)) return verdicts;
  const text = document.toString();
  const comments = findIgnoreComments(first.name, text);
  const foreign = findForeignComments(text);
  const faults = comments.map(
    (comment) =>
      findFault(comment, isTool) ?? (added?.test(comment) === true ? toAdded(added.since) : undefined),
  );
  const used = new Set<IgnoreComment>();
  const find = createFinder(comments.filter((_, index) => faults[index] === undefined));
  const isNew = (comment: ForeignComment): boolean => added?.test(comment) === true;
  /** Comments of other programs that would ignore a finding. */
  const refused = new Set<ForeignComment>();
  const findForeign = (verdict: CheckedFile, finding: FileFinding): ForeignComment | undefined => {
    const meant = foreign.filter((comment) => isFor(comment, verdict, finding));
    const known = meant.find((comment) => !isNew(comment));
    if (known === undefined) for (const comment of meant) refused.add(comment);
    return known;
  };
  const kept = verdicts.map((verdict) => ignore(verdict, find, used, findForeign));
  const ran = new Set(verdicts.flatMap(({ tool, failed }) => (failed === true ? [] : (tool?.slug ?? []))));
  const own = comments.flatMap((comment, index): FileFinding[] => {
    const { line, column, rule } = comment;
    const fault = faults[index];
    if (fault !== undefined) return [{ ...fault, severity: "error", line, column }];
    if (used.has(comment) || !ran.has(toSlug(rule))) return [];
    const message = `This comment ignores nothing: ${rule} has no finding here. Remove it.`;
    return [{ message, severity: "warning", rule: "unused-ignore", line, column }];
  });
  for (const { line, column } of refused)
    own.push({ ...toAdded(added?.since ?? ""), severity: "error", line, column });
  if (own.length === 0) return kept;
  return [...kept, { name: first.name, valid: passes(own), errors: own }];
}

/** Reports whether a document may have comments that ignore findings; nearly none does. */
export const mayIgnore = (document: Buffer): boolean =>
  document.includes(ignoreWord) || mayHaveForeignComments(document);

/** Reports whether a comment of a replaced program is about a finding. */
function isFor(comment: ForeignComment, { tool }: CheckedFile, { rule, line = 1 }: FileFinding): boolean {
  if (tool?.slug !== comment.tool || line < comment.from || line > comment.to) return false;
  return comment.rules === "all" || isRuleOf(tool, rule, comment.program, comment.rules);
}

type Fault = Pick<FileFinding, "message" | "rule">;

function findFault({ rule, reason }: IgnoreComment, isTool: (slug: string) => boolean): Fault | undefined {
  const fault = (message: string): Fault => ({ message, rule: "invalid-ignore" });
  if (rule === "") return fault(`This comment names no rule: write ${ignoreWord} TOOL/RULE REASON.`);
  if (!isTool(toSlug(rule)))
    return fault(
      `This comment names no tool: ${toSlug(rule)} is none. Write ${ignoreWord} TOOL/RULE REASON.`,
    );
  if (reason === "")
    return fault(`This comment gives no reason, so it ignores nothing: write ${ignoreWord} ${rule} REASON.`);
  return undefined;
}

const toAdded = (since: string): Fault => ({
  message: `${since} does not have this comment for this line, so it ignores nothing: somebody has to review it.`,
  rule: "added-ignore",
});

const toSlug = (rule: string): string => rule.split("/", 1)[0] ?? "";

/** The names that a comment can have for an alias: `yamllint/truthy`, and `truthy` alone. */
const toNames = (alias: string): string[] => [alias, alias.slice(alias.indexOf("/") + 1)];

/** Returns the comment for a rule on a line; for a rule anywhere in the file if there is no line. */
type FindComment = (rule: string, line?: number) => IgnoreComment | undefined;

function createFinder(comments: readonly IgnoreComment[]): FindComment {
  const keyOf = (rule: string, line?: number): string => `${rule} ${line ?? ""}`;
  const byKey = new Map<string, IgnoreComment>();
  for (const comment of comments)
    for (const line of [undefined, ...comment.lines])
      if (!byKey.has(keyOf(comment.rule, line))) byKey.set(keyOf(comment.rule, line), comment);
  return (rule, line) => byKey.get(keyOf(rule, line));
}

function ignore(
  verdict: CheckedFile,
  find: FindComment,
  used: Set<IgnoreComment>,
  findForeign: (verdict: CheckedFile, finding: FileFinding) => ForeignComment | undefined,
): CheckedFile {
  const { tool, errors, failed } = verdict;
  if (failed === true) return verdict;
  const left: FileFinding[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const finding of errors) {
    const line = isAboutFile(tool, finding.rule) ? undefined : (finding.line ?? 1);
    const comment = [finding.rule, ...aliasesOf(tool, finding.rule).flatMap(toNames)]
      .map((rule) => find(toRuleId(tool, rule), line))
      .find((one) => one !== undefined);
    const other = comment === undefined ? findForeign(verdict, finding) : undefined;
    if (other !== undefined)
      suppressed.push({ ...finding, by: "comment", reason: `A comment of ${other.program}` });
    else if (comment === undefined) left.push(finding);
    else {
      used.add(comment);
      suppressed.push({ ...finding, by: "comment", reason: comment.reason });
    }
  }
  if (suppressed.length === 0) return verdict;
  return { ...verdict, valid: passes(left), errors: left, suppressed };
}
