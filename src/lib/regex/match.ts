import { DocumentFault } from "../fault.ts";

/** One match. Offsets count UTF-16 code units from 0, as in JavaScript, Java and C#. */
export interface RegexMatch {
  match: string;
  index: number;
  end: number;
  /** By number, from the first; null if a group did not participate. */
  groups: (string | null)[];
  named: Record<string, string | null>;
}

export interface RegexMatches {
  matches: RegexMatch[];
  /** Whether more matches exist than the limit. */
  truncated: boolean;
}

/** The common part of a match of RegExp and of RE2JS. */
interface EngineMatch extends ArrayLike<string | undefined> {
  index: number;
  groups?: Record<string, string | undefined> | undefined;
}

/**
 * Collects at most `limit` matches.
 * @throws DocumentFault if the matches and their groups hold more than `maxUnits` UTF-16 code units.
 */
export function takeMatches(found: Iterable<EngineMatch>, limit: number, maxUnits: number): RegexMatches {
  const matches: RegexMatch[] = [];
  let units = 0;
  for (const one of found) {
    if (matches.length === limit) return { matches, truncated: true };
    const [match = "", ...groups] = Array.from(one, (text) => text ?? null) as [string, ...(string | null)[]];
    units += match.length;
    // An empty group has a cost too, and a named one appears twice.
    for (const group of groups) units += 4 + 2 * (group?.length ?? 0);
    if (units > maxUnits)
      throw new DocumentFault(
        "The matches and their groups repeat too much of the text; capture less or lower limit.",
        {},
        "too-large",
      );
    matches.push({
      match,
      index: one.index,
      end: one.index + match.length,
      groups,
      named: toNamed(one.groups),
    });
  }
  return { matches, truncated: false };
}

function toNamed(groups: EngineMatch["groups"]): RegexMatch["named"] {
  // Without a prototype, so that `__proto__` is an ordinary group name.
  const named = Object.create(null) as RegexMatch["named"];
  for (const [name, text] of Object.entries(groups ?? {})) named[name] = text ?? null;
  return named;
}
