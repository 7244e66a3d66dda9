import { append } from "../append.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import type { Node } from "../jsonpath/evaluate.ts";

/** Replaces every node, and every member whose key matches, with the mask. Changes the document in place. */
export function redact(root: Value, nodes: readonly Node[], keys: readonly string[], mask: string): Value {
  for (const { key, parent } of nodes) {
    if (key === undefined || parent === undefined) return mask;
    if (isList(parent.value)) parent.value[key as number] = mask;
    else if (isDictionary(parent.value)) parent.value.set(key as string, mask);
  }
  if (keys.length > 0) redactKeys(root, createMatcher(keys), mask);
  return root;
}

function redactKeys(root: Value, matches: (key: string) => boolean, mask: string): void {
  const waiting = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isList(value)) append(waiting, value);
    if (!isDictionary(value)) continue;
    for (const [key, member] of value) {
      if (matches(key)) value.set(key, mask);
      else waiting.push(member);
    }
  }
}

/** Names match whole keys, ignoring case, `-`, `_`, `.` and spaces; `*` matches any characters. */
export function createMatcher(names: readonly string[]): (key: string) => boolean {
  const patterns = names.map((name) => name.split("*").map(normalize));
  const whole = new Set(patterns.filter((parts) => parts.length === 1).map(([name]) => name));
  const starred = patterns.filter((parts) => parts.length > 1);
  const known = new Map<string, boolean>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      const name = normalize(key);
      found = whole.has(name) || starred.some((parts) => fits(name, parts));
      known.set(key, found);
    }
    return found;
  };
}

const normalize = (name: string): string => name.replace(/[-_. ]/g, "").toLowerCase();

/**
 * Matches the parts between stars, each at its first place after the previous one, and the ends unless a star
 * is there.
 */
function fits(name: string, parts: readonly string[]): boolean {
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
