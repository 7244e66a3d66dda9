import { itemsOf, memberOf, readJson, textOf } from "./json.ts";
import { explainPattern } from "./pattern-words.ts";

export interface Match {
  text: string;
  /** UTF-16 code units from the beginning of the document. */
  from: number;
  to: number;
  groups: readonly Group[];
}

export interface Group {
  /** Its name, or its number from 1. */
  name: string;
  /** Undefined if the group did not take part. */
  text: string | undefined;
  /** Its position, if that is certain: the tool returns the texts of groups, not their positions. */
  from: number | undefined;
}

/** Returns the matches that a result lists. @param pattern Says which group has which name, and which is in which. */
export function matchesOf(result: string, pattern: string): Match[] {
  const known = groupsOf(pattern);
  return itemsOf(memberOf(readJson(result), "matches")).map((match) => {
    const text = textOf(memberOf(match, "match")) ?? "";
    const from = Number(textOf(memberOf(match, "index")));
    const texts = itemsOf(memberOf(match, "groups"));
    // A pattern with comments may have parentheses that are no groups.
    const shape = known.length === texts.length ? known : texts.map(() => noName);
    const groups = place(
      texts.map((group) => (group.kind === "string" ? group.text : undefined)),
      shape,
      text,
    ).map((start, index): Group => ({
      name: shape[index]?.name ?? `${index + 1}`,
      text: texts[index]?.kind === "string" ? texts[index].text : undefined,
      from: start === undefined ? undefined : from + start,
    }));
    return { text, from, to: Number(textOf(memberOf(match, "end"))), groups };
  });
}

/** A group of a pattern. */
interface PatternGroup {
  name: string | undefined;
  /** The index of the group that it is in. */
  outer: number | undefined;
}

const noName: PatternGroup = { name: undefined, outer: undefined };

/** Returns the groups of a pattern that capture, in their order. */
function groupsOf(pattern: string): PatternGroup[] {
  const groups: PatternGroup[] = [];
  /** The groups that are open; undefined for one that does not capture. */
  const open: (number | undefined)[] = [];
  for (const { text } of explainPattern(pattern)) {
    const [, name] = /^\(\?P?<([^>=!]+)>/.exec(text) ?? [];
    if (text === "(" || name !== undefined) {
      groups.push({ name, outer: open.findLast((one) => one !== undefined) });
      open.push(groups.length - 1);
    } else if (text.startsWith("(") && !text.endsWith(")")) open.push(undefined);
    else if (text === ")") open.pop();
  }
  return groups;
}

/**
 * Returns where the groups of a match are in it: a group is in its outer one, after the groups before it. It is a guess where
 * the same text stands there twice.
 */
function place(
  texts: readonly (string | undefined)[],
  shape: readonly PatternGroup[],
  match: string,
): (number | undefined)[] {
  const starts: (number | undefined)[] = [];
  /** The earliest start of the next group in each group; that of the match is at its end. */
  const next = new Map<number | undefined, number>([[undefined, 0]]);
  for (const [index, text] of texts.entries()) {
    const outer = shape[index]?.outer;
    const at = next.get(outer);
    const start = text === undefined || at === undefined ? -1 : match.indexOf(text, at);
    starts.push(start === -1 ? undefined : start);
    if (start === -1 || text === undefined) continue;
    next.set(outer, start + text.length);
    next.set(index, start);
  }
  return starts;
}

export interface Place {
  line: number;
  column: number;
}

/** Returns what gives the place of an offset, in lines and code points from 1. */
export function createLocator(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Array.from(text.slice(starts[low] ?? 0, offset)).length + 1 };
  };
}
