import type { TextFinding } from "../bounded-findings.ts";
import type { Comment, Dockerfile, Instruction } from "./read.ts";
import { type DockerfileRule, namesOf } from "./rules.ts";

/** A finding with hadolint's number for it, where its rule has several. */
export interface DockerfileFinding extends TextFinding {
  rule: DockerfileRule;
  code?: string | undefined;
}

/**
 * Returns the findings that neither an option nor a comment ignores. Comments are those of hadolint, `# hadolint ignore=DL3008,SC1035`
 * for the next instruction and `# hadolint global ignore=…` for all, the same with the word penknife, and BuildKit's directive
 * `# check=skip=JSONArgsRecommended`.
 */
export function withoutIgnored(
  found: readonly DockerfileFinding[],
  names: readonly string[],
  { comments, directives, instructions }: Dockerfile,
): DockerfileFinding[] {
  const everywhere = new Set(names.map((name) => name.toLowerCase()));
  for (const { name, value } of directives)
    if (name === "check") for (const one of skipped(value)) everywhere.add(one);
  const starts = instructions.map(({ index }) => index);
  /** The names that comments ignore, by the position of the instruction. */
  const local = new Map<number, Set<string>>();
  for (const comment of comments) {
    const ignored = parseComment(comment);
    if (ignored === undefined) continue;
    // A comment between the lines of an instruction is for that instruction.
    const next = firstFrom(starts, comment.index);
    const owner = isWithin(comment, instructions[next - 1]) ? next - 1 : next;
    const into = ignored.global ? everywhere : (local.get(owner) ?? new Set());
    for (const name of ignored.names) into.add(name);
    if (!ignored.global) local.set(owner, into);
  }
  return found.filter(({ rule, code, index }) => {
    const here = local.get(firstFrom(starts, index + 1) - 1);
    return (
      !everywhere.has("all") && !namesOf(rule, code).some((name) => everywhere.has(name) || here?.has(name))
    );
  });
}

/** The shell that a comment such as `# hadolint shell=powershell` names, for the instructions after it. */
export const shellOf = ({ text }: Comment): string | undefined =>
  /^(?:hadolint|penknife)\s+shell\s*=\s*(\S+)/i.exec(text.slice(0, 256))?.[1];

/** Longest comment that is read for names. */
const maxComment = 4096;

function parseComment({ text }: Comment): { names: string[]; global: boolean } | undefined {
  const [, global, list] =
    /^(?:hadolint|penknife)\s+(global\s+)?ignore\s*=\s*([\w-]+(?:\s*,\s*[\w-]+)*)/i.exec(
      text.slice(0, maxComment),
    ) ?? [];
  if (list === undefined) return undefined;
  return { names: list.toLowerCase().split(/\s*,\s*/), global: global !== undefined };
}

const skipped = (value: string): string[] =>
  value
    .split(";")
    .flatMap((part) => /^\s*skip\s*=(.*)$/i.exec(part)?.[1]?.split(",") ?? [])
    .map((name) => name.trim().toLowerCase());

const isWithin = ({ index }: Comment, instruction: Instruction | undefined): boolean =>
  instruction !== undefined &&
  instruction.rest.text !== "" &&
  index < instruction.rest.indexAt(instruction.rest.text.length - 1);

/** The position of the first of sorted numbers that is not below a bound. */
function firstFrom(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
