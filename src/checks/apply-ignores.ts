import type { AddedTest } from "./added-comments.ts";
import { findIgnoreComments, type IgnoreComment, ignoreWord } from "./ignore-comments.ts";
import { isAboutFile, toRuleId } from "./rule-id.ts";
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
  if (first === undefined || !document.includes(ignoreWord)) return verdicts;
  const comments = findIgnoreComments(first.name, document.toString());
  const faults = comments.map(
    (comment) =>
      findFault(comment, isTool) ?? (added?.test(comment) === true ? toAdded(added.since) : undefined),
  );
  const used = new Set<IgnoreComment>();
  const find = createFinder(comments.filter((_, index) => faults[index] === undefined));
  const kept = verdicts.map((verdict) => ignore(verdict, find, used));
  const ran = new Set(verdicts.flatMap(({ tool, failed }) => (failed === true ? [] : (tool?.slug ?? []))));
  const own = comments.flatMap((comment, index): FileFinding[] => {
    const { line, column, rule } = comment;
    const fault = faults[index];
    if (fault !== undefined) return [{ ...fault, severity: "error", line, column }];
    if (used.has(comment) || !ran.has(toSlug(rule))) return [];
    const message = `This comment ignores nothing: ${rule} has no finding here. Remove it.`;
    return [{ message, severity: "warning", rule: "unused-ignore", line, column }];
  });
  if (own.length === 0) return kept;
  return [
    ...kept,
    { name: first.name, valid: own.every(({ severity }) => severity !== "error"), errors: own },
  ];
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

function ignore(verdict: CheckedFile, find: FindComment, used: Set<IgnoreComment>): CheckedFile {
  const { tool, errors, failed } = verdict;
  if (failed === true) return verdict;
  const left: FileFinding[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const finding of errors) {
    const line = isAboutFile(tool, finding.rule) ? undefined : (finding.line ?? 1);
    const comment = find(toRuleId(tool, finding.rule), line);
    if (comment === undefined) left.push(finding);
    else {
      used.add(comment);
      suppressed.push({ ...finding, by: "comment", reason: comment.reason });
    }
  }
  if (suppressed.length === 0) return verdict;
  return { ...verdict, valid: left.every(({ severity }) => severity !== "error"), errors: left, suppressed };
}
