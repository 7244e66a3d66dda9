import { join } from "node:path";
import type { LeftOutReason } from "../../../checks/left-out.ts";
import { OptionFault } from "../../../lib/fault.ts";
import { expandBraces } from "../../../lib/glob/expand-braces.ts";
import type { Files, Program } from "../host.ts";
import { reasonOf } from "../../../lib/system-error.ts";
import { usageError } from "../usage-error.ts";

export interface FoundFiles {
  /** Sorted paths that start with the fixed part of the pattern. */
  names: string[];
  leftOut: ReadonlyMap<LeftOutReason, ReadonlySet<string>>;
  /** Whether counting files in left-out folders stopped early. */
  more: boolean;
  /** Folders that could not be read. */
  unread: { name: string; message: string }[];
}

/** One path segment of a pattern: `**`, or a test of a name. */
type Segment = "**" | ((name: string) => boolean);

/** Most entries of left-out folders that are counted. */
const maxCounted = 20_000;

const skipped: readonly string[] = [".git", "node_modules"] satisfies LeftOutReason[];

/**
 * Finds the files that match a pattern, including those whose names start with a dot. Files in `.git` and `node_modules`
 * are left out unless the pattern names that folder, and `**` does not follow links to folders.
 * @param leadsOut Reports whether a link leads where the pattern does not look; then it is left out.
 * @throws ToolError invalid_input for a malformed pattern.
 */
export async function findFiles(
  pattern: string,
  files: Files,
  program: Pick<Program, "matcher">,
  leadsOut: (path: string) => boolean = () => false,
): Promise<FoundFiles> {
  const names = new Set<string>();
  const leftOut = new Map<LeftOutReason, Set<string>>();
  const unread = new Map<string, string>();
  let countable = maxCounted;

  function leaveOut(reason: LeftOutReason, path: string): void {
    const paths = leftOut.get(reason) ?? new Set();
    leftOut.set(reason, paths.add(path));
  }

  /** @param reason Set inside a left-out folder, whose files are counted but not checked. */
  function visit(
    folder: string,
    segments: readonly Segment[],
    at: ReadonlySet<number>,
    reason?: LeftOutReason,
  ): void {
    const entries = readFolder(folder, files, unread);
    for (const { name, kind } of entries) {
      if (reason !== undefined && --countable < 0) return;
      const path = join(folder, name);
      const { matched, next, named } = step(segments, at, name);
      const why = reason ?? (isSkipped(name) && !mentions(pattern, name) ? name : undefined);
      if (kind === "folder") {
        if (next.size > 0) visit(path, segments, next, why);
      } else if (kind === "link" && files.stat(path)?.kind === "folder") {
        if (named.size > 0 && !leadsOut(path)) visit(path, segments, named, why);
        else if (next.size > 0) leaveOut(why ?? "folder-link", path);
      } else if (matched) {
        const target = kind === "link" ? files.stat(path) : undefined;
        if (why !== undefined) leaveOut(why, path);
        else if (kind === "link" && target !== undefined && leadsOut(path)) leaveOut("link", path);
        else if (kind === "link" && target === undefined) leaveOut("broken-link", path);
        else if (kind === "other" || target?.regular === false) leaveOut("special-file", path);
        else names.add(path);
      }
    }
  }

  for (const alternative of toAlternatives(pattern)) {
    const parts = splitNames(alternative);
    const fixed = parts.findIndex((part) => /[*?[\\(]/.test(part));
    const base = parts.slice(0, fixed === -1 ? -1 : fixed).join("/");
    const rest = fixed === -1 ? parts.slice(-1) : parts.slice(fixed);
    const segments: Segment[] = [];
    for (const part of rest) segments.push(part === "**" ? "**" : await program.matcher(part));
    const folder = base === "" && alternative.startsWith("/") ? "/" : base;
    if (files.stat(folder)?.kind === "folder") visit(folder, segments, skipStars(segments, [0]));
  }
  return {
    names: [...names].toSorted(),
    leftOut,
    more: countable < 0,
    unread: [...unread].toSorted().map(([name, message]) => ({ name, message })),
  };
}

function toAlternatives(pattern: string): string[] {
  try {
    return expandBraces(pattern);
  } catch (error) {
    throw error instanceof OptionFault ? usageError(error.message) : error;
  }
}

function readFolder(folder: string, files: Files, unread: Map<string, string>): ReturnType<Files["entries"]> {
  try {
    return files.entries(folder);
  } catch (error) {
    unread.set(folder === "" ? "." : folder, reasonOf(error));
    return [];
  }
}

/** Advances a pattern by one name: `at` holds the segments that may match it. */
function step(
  segments: readonly Segment[],
  at: ReadonlySet<number>,
  name: string,
): { matched: boolean; next: ReadonlySet<number>; named: ReadonlySet<number> } {
  const named: number[] = [];
  const swallowed: number[] = [];
  let matched = false;
  const last = segments.length - 1;
  for (const index of at) {
    const segment = segments[index];
    if (segment === undefined || (segment !== "**" && !segment(name))) continue;
    if (segment === "**") swallowed.push(index);
    else if (index < last) named.push(index + 1);
    if (index === last) matched = true;
  }
  return {
    matched,
    next: skipStars(segments, [...named, ...swallowed]),
    named: skipStars(segments, named),
  };
}

/** Adds the segments after `**`, which may match no folder at all. */
function skipStars(segments: readonly Segment[], at: readonly number[]): Set<number> {
  const all = new Set(at);
  for (const index of all) if (segments[index] === "**" && index < segments.length - 1) all.add(index + 1);
  return all;
}

const isSkipped = (name: string): name is ".git" | "node_modules" => skipped.includes(name);

const mentions = (pattern: string, name: string): boolean => pattern.split(/[/{},()|]/).includes(name);

/** Splits a pattern at its slashes. */
function splitNames(pattern: string): string[] {
  const names = pattern.split("/").filter((name, index) => name !== "" || index === 0);
  const torn = names.find((name) => /(?<!\\)[?*+@!]\([^)]*$/.test(name));
  if (torn !== undefined)
    throw usageError(`${torn}: a group in parentheses cannot contain a slash. Use braces: {a,b/c}.`);
  return names;
}
