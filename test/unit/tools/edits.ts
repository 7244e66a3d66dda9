import { parsePointer } from "../../../src/lib/json/pointer.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values by pointer; undefined removes what is there. */
export type Edits = Record<string, Json | undefined>;

/** Returns a copy of a document with edits. */
export function applyEdits(document: Json, edits: Edits): Json {
  const copy = structuredClone(document);
  for (const [pointer, value] of Object.entries(edits)) {
    const tokens = parsePointer(pointer) ?? [];
    const last = tokens.pop() ?? "";
    let at = copy as Record<string, Json>;
    for (const token of tokens) {
      if (!(token in at)) throw new Error(`${pointer} leads nowhere`);
      at = at[token] as Record<string, Json>;
    }
    if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1);
    else if (value === undefined) {
      if (!(last in at)) throw new Error(`${pointer} leads nowhere`);
      delete at[last];
    } else if (Array.isArray(at) && last === "-") at.push(value);
    else at[last] = value;
  }
  return copy;
}
