import { itemsOf, type Json, memberOf, readJson, textOf } from "./json.ts";

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
  /** Where it is, if that can be told: the tool gives the texts of groups, not their places. */
  from: number | undefined;
}

/** Returns the matches that a result lists. */
export function matchesOf(result: string): Match[] {
  return itemsOf(memberOf(readJson(result), "matches")).map((match) => {
    const text = textOf(memberOf(match, "match")) ?? "";
    const from = Number(textOf(memberOf(match, "index")));
    const names = namesOf(memberOf(match, "named"), itemsOf(memberOf(match, "groups")));
    let at = 0;
    const groups = itemsOf(memberOf(match, "groups")).map((group, index): Group => {
      const found = group.kind === "string" ? group.text : undefined;
      const place = found === undefined ? -1 : text.indexOf(found, at);
      if (place !== -1 && found !== undefined) at = place + found.length;
      return {
        name: names.get(index) ?? `${index + 1}`,
        text: found,
        from: place === -1 ? undefined : from + place,
      };
    });
    return { text, from, to: Number(textOf(memberOf(match, "end"))), groups };
  });
}

/** Returns the names of groups by their index: those of `named` come in the order of the groups. */
function namesOf(named: Json | undefined, groups: readonly Json[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let at = 0;
  for (const [name, value] of named?.kind === "object" ? named.members : []) {
    const index = groups.findIndex(
      (group, one) => one >= at && textOf(group) === textOf(value) && group.kind === value.kind,
    );
    if (index === -1) continue;
    names.set(index, name);
    at = index + 1;
  }
  return names;
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
