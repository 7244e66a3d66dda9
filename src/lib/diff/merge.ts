import { append } from "../append.ts";
import { loadMatcher, type Matcher } from "./match.ts";

export interface MergeOptions {
  /** The side that replaces a conflict; undefined leaves both sides between markers. */
  resolve: "ours" | "theirs" | "union" | undefined;
  style: "merge" | "diff3" | "zdiff3";
  /** Names of ours, base and theirs after the markers. */
  labels: readonly string[];
  markerSize: number;
}

/** A conflict; the lines are those of ours, from 0. */
export interface MergeConflict {
  line: number;
  count: number;
}

/**
 * Merges the changes that two texts have made to a third. Changes to the same or to neighbouring lines are a conflict, unless
 * both are the same. The conflicts, their markers and the three styles are those of `git merge-file`.
 */
export async function mergeTexts(
  [ours, base, theirs]: readonly [string, string, string],
  options: MergeOptions,
): Promise<{ result: string; conflicts: MergeConflict[] }> {
  const match = await loadMatcher();
  const sides = { ours: toLines(ours), base: toLines(base), theirs: toLines(theirs) };
  const identify = createIdentities();
  const ids = {
    ours: sides.ours.map(identify),
    base: sides.base.map(identify),
    theirs: sides.theirs.map(identify),
  };
  const changes = [
    ...toChanges(match, ids.base, ids.ours, "ours"),
    ...toChanges(match, ids.base, ids.theirs, "theirs"),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to);
  const parts = toParts(changes, sides);
  const refined =
    options.style === "merge"
      ? joinNear(parts.flatMap((part) => refine(match, part, identify)))
      : options.style === "zdiff3"
        ? parts.flatMap(trimEnds)
        : parts;
  const crlf = /^[^\n]*\r\n/.test(ours);
  return write(refined, { ...options, eol: crlf ? "\r\n" : "\n" });
}

const toLines = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

function createIdentities(): (line: string) => number {
  const known = new Map<string, number>();
  return (line) => {
    const id = known.get(line) ?? known.size;
    known.set(line, id);
    return id;
  };
}

/** A change of one side: its lines `start` to `end` replace the lines `from` to `to` of the base. */
interface SideChange {
  side: "ours" | "theirs";
  from: number;
  to: number;
  start: number;
  end: number;
}

function toChanges(
  match: Matcher,
  base: readonly number[],
  other: readonly number[],
  side: SideChange["side"],
): SideChange[] {
  const { olds, news } = match(base, other);
  const changes: SideChange[] = [];
  let [from, start] = [0, 0];
  for (let at = 0; at <= olds.length; at++) {
    const [to, end] = [olds[at] ?? base.length, news[at] ?? other.length];
    if (to > from || end > start) changes.push({ side, from, to, start, end });
    [from, start] = [to + 1, end + 1];
  }
  return changes;
}

/** A part of the result: settled lines, of which one side alone may have `changed` some, or the three versions of a conflict. */
type Part = { settled: string[]; changed?: boolean } | { ours: string[]; base: string[]; theirs: string[] };

interface Sides {
  ours: string[];
  base: string[];
  theirs: string[];
}

/** Goes over the base; changes of both sides that touch form a conflict. */
function toParts(changes: readonly SideChange[], sides: Sides): Part[] {
  const parts: Part[] = [];
  const moved = { ours: 0, theirs: 0 };
  let at = 0;
  for (let next = 0; next < changes.length;) {
    const { from } = changes[next] as SideChange;
    let { to } = changes[next] as SideChange;
    const group: SideChange[] = [];
    for (; next < changes.length && (changes[next] as SideChange).from <= to; next++) {
      group.push(changes[next] as SideChange);
      to = Math.max(to, (changes[next] as SideChange).to);
    }
    parts.push({ settled: sides.base.slice(at, from) });
    const versionOf = (side: SideChange["side"]): string[] => {
      const start = from + moved[side];
      for (const one of group) if (one.side === side) moved[side] = one.end - one.to;
      return sides[side].slice(start, to + moved[side]);
    };
    const [ours, theirs] = [versionOf("ours"), versionOf("theirs")];
    const changed = new Set(group.map(({ side }) => side));
    if (changed.size === 2 && !isEqual(ours, theirs))
      parts.push({ ours, base: sides.base.slice(from, to), theirs });
    else parts.push({ settled: changed.has("ours") ? ours : theirs, changed: changed.size === 1 });
    at = to;
  }
  parts.push({ settled: sides.base.slice(at) });
  return parts;
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/** Divides a conflict at the lines that both sides have. */
function refine(match: Matcher, part: Part, identify: (line: string) => number): Part[] {
  if ("settled" in part || part.ours.length === 0 || part.theirs.length === 0) return [part];
  const { ours, theirs } = part;
  const { olds, news } = match(ours.map(identify), theirs.map(identify));
  const parts: Part[] = [];
  let [from, start] = [0, 0];
  for (let at = 0; at <= olds.length; at++) {
    const [to, end] = [olds[at] ?? ours.length, news[at] ?? theirs.length];
    if (to > from || end > start)
      parts.push({ ours: ours.slice(from, to), base: [], theirs: theirs.slice(start, end) });
    if (at < olds.length) parts.push({ settled: [ours[to] as string] });
    [from, start] = [to + 1, end + 1];
  }
  return parts;
}

/** Lines between two conflicts that are read as one with them: at most three, or any number of lines without letters and digits. */
const nearLines = 3;

/** Joins conflicts with few common lines between them; not over a change that one side alone has made, as `git merge-file`. */
function joinNear(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let between: string[] = [];
  let isChanged = false;
  for (const part of parts) {
    if ("settled" in part) {
      for (const line of part.settled) between.push(line);
      isChanged ||= part.changed === true;
      continue;
    }
    const last = joined.at(-1);
    const isNear =
      !isChanged && (between.length <= nearLines || !between.some((line) => /[A-Za-z0-9]/.test(line)));
    if (last !== undefined && !("settled" in last) && isNear) {
      append(last.ours, between, part.ours);
      append(last.theirs, between, part.theirs);
    } else {
      joined.push({ settled: between }, { ...part });
    }
    between = [];
    isChanged = false;
  }
  joined.push({ settled: between });
  return joined;
}

/** Moves the lines with which both sides begin and end out of a conflict; the base stays whole. */
function trimEnds(part: Part): Part[] {
  if ("settled" in part) return [part];
  const { ours, base, theirs } = part;
  const most = Math.min(ours.length, theirs.length);
  let head = 0;
  while (head < most && ours[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < most - head && ours.at(-1 - tail) === theirs.at(-1 - tail)) tail++;
  return [
    { settled: ours.slice(0, head) },
    { ours: ours.slice(head, ours.length - tail), base, theirs: theirs.slice(head, theirs.length - tail) },
    { settled: ours.slice(ours.length - tail) },
  ];
}

function write(
  parts: readonly Part[],
  {
    resolve,
    style,
    labels: [ours = "", base = "", theirs = ""],
    markerSize,
    eol,
  }: MergeOptions & { eol: string },
): { result: string; conflicts: MergeConflict[] } {
  const lines: string[] = [];
  const conflicts: MergeConflict[] = [];
  let line = 0;
  const mark = (sign: string, label: string): void =>
    void lines.push(sign.repeat(markerSize) + (label === "" ? "" : ` ${label}`) + eol);
  const add = (of: readonly string[]): void => append(lines, of);
  const version = (of: readonly string[]): void => {
    for (const one of of) lines.push(one.endsWith("\n") ? one : one + eol);
  };
  for (const part of parts) {
    if ("settled" in part) {
      add(part.settled);
      line += part.settled.length;
      continue;
    }
    conflicts.push({ line, count: part.ours.length });
    line += part.ours.length;
    if (resolve === "ours") add(part.ours);
    else if (resolve === "theirs") add(part.theirs);
    else if (resolve === "union") {
      version(part.ours);
      add(part.theirs);
    } else {
      mark("<", ours);
      version(part.ours);
      if (style !== "merge") mark("|", base);
      if (style !== "merge") version(part.base);
      mark("=", "");
      version(part.theirs);
      mark(">", theirs);
    }
  }
  return { result: lines.join(""), conflicts };
}
