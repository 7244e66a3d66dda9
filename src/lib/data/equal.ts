import { compareDecimals, decimalKey, toDecimal } from "../number/decimal.ts";
import { isDictionary, isList, type List, type Value } from "./value.ts";

/** Reports whether two values are equal: numbers by value, members in any order. */
export function equalValues(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, at) => equalValues(item, b[at] as Value));
  }
  if (isDictionary(a)) {
    if (!isDictionary(b) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other = b.get(key);
      if (other === undefined || !equalValues(value, other)) return false;
    }
    return true;
  }
  if (isList(b) || isDictionary(b) || a.kind !== b.kind) return false;
  return (
    a.text === b.text || (a.kind === "number" && compareDecimals(toDecimal(a.text), toDecimal(b.text)) === 0)
  );
}

/** Gives equal values the same number, unequal ones different numbers. */
export type Numbering = (value: Value) => number;

/**
 * Returns a numbering that is linear in its input, however often a value is asked for: a container is
 * identified by the numbers of its parts. Arrays for which `unordered` returns true are equal if they have
 * the same items in any order. With `ignoreCase`, strings are equal that differ in the case of letters; names are not.
 */
export function createNumbering(
  unordered: (list: List) => boolean = () => false,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): Numbering {
  // Maps, because their hash is seeded: nobody can provoke collisions.
  const known = new Map<string, number>();
  const containers = new Map<Value, number>();
  const intern = (key: string): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, known.size);
    return known.size - 1;
  };
  const numberOf: Numbering = (value) => {
    if (value === null || typeof value === "boolean") return intern(String(value));
    if (typeof value === "string") return intern(`"${ignoreCase ? value.toLowerCase() : value}`);
    const before = containers.get(value);
    if (before !== undefined) return before;
    let key: string;
    if (isList(value)) {
      const items = value.map(numberOf);
      key = `[${(unordered(value) ? items.toSorted((a, b) => a - b) : items).join()}`;
    } else if (isDictionary(value)) {
      const members = Array.from(value, ([name, member]) => `${intern(`"${name}`)}:${numberOf(member)}`);
      key = `{${members.toSorted().join()}`;
    } else {
      return intern(
        value.kind === "number" ? `#${decimalKey(toDecimal(value.text))}` : `${value.kind} ${value.text}`,
      );
    }
    const number = intern(key);
    containers.set(value, number);
    return number;
  };
  return numberOf;
}
