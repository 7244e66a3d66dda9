import { DocumentFault } from "../fault.ts";

/** One match. Places count UTF-16 code units from 0, as JavaScript, Java and C# do. */
export interface RegexMatch {
  match: string;
  index: number;
  end: number;
  /** By number, from the first; null where a group took no part. */
  groups: (string | null)[];
  named: Record<string, string | null>;
}

export interface RegexMatches {
  matches: RegexMatch[];
  /** Whether there are more than the limit. */
  truncated: boolean;
}

/** What engines find, as both RegExp and RE2JS return it. */
interface EngineMatch extends ArrayLike<string | undefined> {
  index: number;
  groups?: Record<string, string | undefined> | undefined;
}

/**
 * Takes matches up to `limit`.
 * @throws DocumentFault if the matches and their groups hold more than `maxUnits` UTF-16 code units.
 */
export function takeMatches(found: Iterable<EngineMatch>, limit: number, maxUnits: number): RegexMatches {
  const matches: RegexMatch[] = [];
  let units = 0;
  for (const one of found) {
    if (matches.length === limit) return { matches, truncated: true };
    const [match = "", ...groups] = Array.from(one, (text) => text ?? null) as [string, ...(string | null)[]];
    units += match.length;
    // A group weighs something even when it is empty, and a named one is told twice.
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
  // Without a prototype, so that a group called __proto__ is a group like any other.
  const named = Object.create(null) as RegexMatch["named"];
  for (const [name, text] of Object.entries(groups ?? {})) named[name] = text ?? null;
  return named;
}
