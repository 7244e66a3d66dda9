import { type Assignment, findAssignments } from "./assignments.ts";
import { isMixed, isPasswordLike, isPlaceholder, isRandom, isReference } from "./values.ts";

export interface Place {
  index: number;
  end: number;
}

/** Finds random-looking values after the name of a secret. */
export function* findRandomValues(text: string): Generator<Place> {
  for (const assignment of findAssignments(text)) {
    const place = toPlace(text, assignment);
    const value = text.slice(place.index, place.end);
    const digits = assignment.kind === "related" ? /\d\D*\d/ : /\d/;
    if (
      value.length <= 256 &&
      digits.test(value) &&
      isLiteral(assignment, value) &&
      isGenerated(assignment, value)
    )
      yield place;
  }
}

/** Finds literal passwords that look chosen by people and are not random. */
export function* findPasswords(text: string): Generator<Place> {
  for (const assignment of findAssignments(text)) {
    const { index, end, kind } = assignment;
    const value = text.slice(index, end);
    if (kind === "password" && isLiteral(assignment, value) && isPasswordLike(value) && !isRandom(value))
      yield { index, end };
  }
}

/** A short key of an API may have few different characters. */
const isGenerated = ({ kind }: Assignment, value: string): boolean =>
  isRandom(value) || (kind === "token" && isMixed(value));

const isLiteral = ({ quoted, config }: Assignment, value: string): boolean =>
  (quoted || config) && !isPlaceholder(value) && /^[\w+/=.~!@#%^&*$:?,;-]+$/.test(value);

/** Returns the range of a value, without a prefix such as `Bearer ` within its quotes. */
function toPlace(text: string, { index, end }: Assignment): Place {
  const scheme = /^(?:bearer|basic|token)[ \t]{1,4}/i.exec(text.slice(index, Math.min(end, index + 12)));
  return { index: index + (scheme?.[0].length ?? 0), end };
}

/**
 * Finds every value assigned to the name of a secret, unless it is clearly something else. For masking, where
 * a false alarm does no harm.
 */
export function* findAssigned(text: string): Generator<Place> {
  for (const assignment of findAssignments(text)) {
    const { index, end, tail, kind, quoted, config } = assignment;
    const value = text.slice(index, end);
    // `x y` in backquotes is a shell command.
    if (isReference(value) || (text[index - 1] === "`" && /\s/.test(value))) continue;
    if (kind === "related") {
      if ((isRandom(value) && /\d\D*\d/.test(value)) || /^\$\d\w?\$/.test(value)) yield { index, end };
    } else if (quoted) {
      yield { index, end };
    } else if (kind === "token" && (config ? /^\d{1,6}$/ : /^\d{1,6}$|^[A-Za-z]+$/).test(value)) {
      continue;
    } else if (!prose.test(value)) yield { index, end: config ? tail : end };
  }
}

/** Words that follow `password:` in a sentence. */
const prose =
  /^(?:an?|the|this|that|see|is|are|was|for|use[ds]?|using|enter|type|your|my|our|and|or|not|in|on|of|to|it|if|must|should|can|may|will|with|from|by|at|as|which|when|where|what|how|incorrect|wrong|invalid|missing|accepted|rejected|failed|failure|expired|changed|updated|reset|ok|error|authentication)$/i;
