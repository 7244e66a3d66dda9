import { valueAt } from "../data/at-pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { escapeToken, toPointer } from "../json/pointer.ts";
import type { Version } from "../openapi/grammar.ts";
import { tokensOf } from "../openapi/references.ts";

/** A description, old or new. */
export interface Side {
  root: Value;
  version: Version;
}

/** A value of a description, and the pointer (RFC 6901) to it. */
export interface Place<Kind extends Value = Value> {
  value: Kind;
  pointer: string;
}

/** Returns a member or an item of a place. */
export function childOf(place: Place | undefined, key: string | number): Place | undefined {
  if (place === undefined) return undefined;
  const { value, pointer } = place;
  const member =
    typeof key === "number"
      ? isList(value)
        ? value[key]
        : undefined
      : isDictionary(value)
        ? value.get(key)
        : undefined;
  return member === undefined ? undefined : { value: member, pointer: `${pointer}/${escapeToken(key)}` };
}

/** The members of an object, in their order; none if the place is no object. */
export function membersOf(place: Place | undefined): [string, Place][] {
  if (place === undefined || !isDictionary(place.value)) return [];
  const { value, pointer } = place;
  return Array.from(value, ([name, member]) => [
    name,
    { value: member, pointer: `${pointer}/${escapeToken(name)}` },
  ]);
}

/** The items of a list; none if the place is no list. */
export function itemsOf(place: Place | undefined): Place[] {
  if (place === undefined || !isList(place.value)) return [];
  const { value, pointer } = place;
  return value.map((item, index) => ({ value: item, pointer: `${pointer}/${index}` }));
}

/** References that one place may lead through. */
export const maxHops = 50;

/** Returns the object that a place is or refers to; undefined if a reference leads nowhere, out of the document or in a circle. */
export function objectAt(side: Side, place: Place | undefined): Place<Dictionary> | undefined {
  let at = place;
  for (let hops = 0; hops < maxHops; hops++) {
    if (at === undefined || !isDictionary(at.value)) return undefined;
    const target = at.value.get("$ref");
    if (typeof target !== "string") return at as Place<Dictionary>;
    at = targetOf(side, target);
  }
  return undefined;
}

/** Returns what a reference leads to in the document itself. */
export function targetOf({ root }: Side, reference: string): Place | undefined {
  const tokens = tokensOf(reference);
  const value = tokens && valueAt(root, tokens);
  return value === undefined || tokens === undefined ? undefined : { value, pointer: toPointer(tokens) };
}

export const textAt = (place: Place | undefined, key: string): string | undefined => {
  const value = childOf(place, key)?.value;
  return typeof value === "string" ? value : undefined;
};

export const isTrueAt = (place: Place | undefined, key: string): boolean =>
  childOf(place, key)?.value === true;
