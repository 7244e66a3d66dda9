import { loadMatcher, type Matches } from "./match.ts";

export interface DiffOptions {
  /** The unit of comparison: lines with their ends, words, or code points. */
  unit: "line" | "word" | "character";
  ignoreWhitespace: boolean;
  ignoreEol: boolean;
  ignoreCase: boolean;
}

/** A run of units. Units in both texts are taken from the old one. */
export interface Change {
  op: "equal" | "delete" | "insert";
  units: string[];
  /** The number of units before it in each text. */
  old: number;
  now: number;
}

/**
 * Returns the changes from the first unit to the last; a deletion precedes an insertion at the same place.
 */
export async function diffText(before: string, after: string, options: DiffOptions): Promise<Change[]> {
  const match = await loadMatcher();
  const [a, b] = [toUnits(before, options.unit), toUnits(after, options.unit)];
  const ids = new Map<string, number>();
  const identify = (unit: string): number => {
    const key = toKey(unit, options);
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, ids.size);
    return ids.size - 1;
  };
  return toChanges(a, b, match(a.map(identify), b.map(identify)));
}

const words = /\r?\n|[^\S\r\n]+|[\p{L}\p{N}\p{M}_]+|[^]/gu;

function toUnits(text: string, unit: DiffOptions["unit"]): string[] {
  if (unit === "character") return [...text];
  if (unit === "word") return text.match(words) ?? [];
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}

/** Units with the same key are equal. */
function toKey(text: string, { ignoreWhitespace, ignoreEol, ignoreCase }: DiffOptions): string {
  const unit = ignoreCase ? text.toLowerCase() : text;
  if (ignoreWhitespace) return unit.replaceAll(/\s+/g, "");
  return ignoreEol && unit.endsWith("\r\n") ? `${unit.slice(0, -2)}\n` : unit;
}

function toChanges(a: readonly string[], b: readonly string[], { olds, news }: Matches): Change[] {
  const changes: Change[] = [];
  let [old, now] = [0, 0];
  const push = (op: Change["op"], units: string[]): void => {
    if (units.length > 0) changes.push({ op, units, old, now });
    if (op !== "insert") old += units.length;
    if (op !== "delete") now += units.length;
  };
  for (let index = 0; index <= olds.length;) {
    push("delete", a.slice(old, olds[index] ?? a.length));
    push("insert", b.slice(now, news[index] ?? b.length));
    const from = index;
    while (index < olds.length && olds[index] === old + index - from && news[index] === now + index - from)
      index++;
    push("equal", a.slice(old, old + index - from));
    if (index === from) break;
  }
  return changes;
}
