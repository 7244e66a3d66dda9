import { isDictionary, isList, toNumber, type Value } from "../data/value.ts";
import type { Draw } from "./pattern.ts";

/** Values that take the place of others, so that some rule is broken. */
const others: readonly Value[] = [
  null,
  true,
  "",
  "?",
  "x".repeat(60),
  toNumber("-1000000.5"),
  toNumber("1000000"),
  toNumber("0.001"),
  [],
  [null, null],
  new Map(),
  new Map([["unexpected", true as Value]]),
];

/** Changes one value of a document, removes a member or adds one. The document itself stays. */
export function spoil(document: Value, draw: Draw): Value {
  const places = placesIn(document);
  const path = places[draw(places.length)] ?? [];
  return replace(document, path, 0, (value) => {
    const kind = draw(3);
    if (kind === 0 && isDictionary(value) && value.size > 0) {
      const names = [...value.keys()];
      const name = names[draw(names.length)];
      return new Map([...value].filter(([key]) => key !== name));
    }
    if (kind === 1 && isDictionary(value)) return new Map([...value, ["unexpected", true as Value]]);
    if (kind === 1 && isList(value)) return [...value, ...(value.length === 0 ? [null] : value)];
    return others[draw(others.length)] as Value;
  });
}

function placesIn(document: Value): (string | number)[][] {
  const found: (string | number)[][] = [];
  const waiting: [Value, (string | number)[]][] = [[document, []]];
  for (let next = waiting.pop(); next !== undefined && found.length < 1000; next = waiting.pop()) {
    const [value, path] = next;
    found.push(path);
    if (isList(value)) for (const [at, item] of value.entries()) waiting.push([item, [...path, at]]);
    else if (isDictionary(value)) for (const [key, member] of value) waiting.push([member, [...path, key]]);
  }
  return found;
}

function replace(
  value: Value,
  path: readonly (string | number)[],
  at: number,
  change: (value: Value) => Value,
): Value {
  const key = path[at];
  if (key === undefined) return change(value);
  if (isList(value))
    return value.map((item, index) => (index === key ? replace(item, path, at + 1, change) : item));
  if (!isDictionary(value)) return value;
  return new Map(
    Array.from(value, ([name, member]) => [
      name,
      name === key ? replace(member, path, at + 1, change) : member,
    ]),
  );
}
