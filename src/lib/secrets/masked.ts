import { type Assignment, findAssignments } from "./assignments.ts";
import { scanText } from "./find-tokens.ts";
import { isBasic } from "./headers.ts";
import { isRandom, isReference } from "./values.ts";

interface Place {
  index: number;
  end: number;
}

/**
 * Finds every value assigned to the name of a secret, unless it is clearly something else. For masking, where a false alarm does no
 * harm.
 */
export function* findMasked(text: string): Generator<Place> {
  for (const assignment of findAssignments(text, scanText(text).hints)) {
    const place = toPlace(text, assignment);
    if (place !== undefined) yield place;
  }
}

function toPlace(
  text: string,
  { index, end, tail, kind, quoted, config, name }: Assignment,
): Place | undefined {
  const value = text.slice(index, end);
  // `x y` in backquotes is a shell command.
  if (isReference(value) || (text[index - 1] === "`" && /\s/.test(value))) return undefined;
  if (/^auths?$/i.test(name)) return quoted && isBasic(value) ? { index, end } : undefined;
  if (kind === "related")
    return (isRandom(value, 50) && /\d\D*\d/.test(value)) || /^\$\d\w?\$/.test(value)
      ? { index, end }
      : undefined;
  if (quoted) return { index, end };
  if (kind === "token" && (config ? /^\d{1,6}$/ : /^\d{1,6}$|^[A-Za-z]+$/).test(value)) return undefined;
  return prose.test(value) ? undefined : { index, end: config ? tail : end };
}

/** Words that follow `password:` in a sentence. */
const prose =
  /^(?:an?|the|this|that|see|is|are|was|for|use[ds]?|using|enter|type|your|my|our|and|or|not|in|on|of|to|it|if|must|should|can|may|will|with|from|by|at|as|which|when|where|what|how|incorrect|wrong|invalid|missing|accepted|rejected|failed|failure|expired|changed|updated|reset|ok|error|authentication)$/i;
