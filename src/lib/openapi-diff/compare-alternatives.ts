import { equalValues } from "../data/equal.ts";
import type { Value } from "../data/value.ts";
import type { Compared } from "./compare-schemas.ts";
import type { Alternatives, Flat } from "./flat.ts";
import { childOf, membersOf, type Place, type Side, textAt } from "./places.ts";

/** A schema that has become one of several alternatives, or was one of them, differs in nothing else. */
export function compareWrapped({ old, new: now, change, sides }: Compared): boolean {
  const isOnlyGroup = (flat: Flat): boolean =>
    flat.groups.length === 1 &&
    flat.types === undefined &&
    flat.properties.size === 0 &&
    flat.enum === undefined;
  const same = (flat: Flat, group: Flat, [a, b]: readonly [Side, Side]): boolean =>
    (group.groups[0]?.items ?? []).some((item) =>
      flat.parts.some((part) => equalValues(deep(a, part), deep(b, item))),
    );
  if (old.groups.length === 0 && old.parts.length > 0 && isOnlyGroup(now) && same(old, now, sides)) {
    change("alternatives", "widened", "is one of several alternatives now");
    return true;
  }
  if (
    now.groups.length === 0 &&
    now.parts.length > 0 &&
    isOnlyGroup(old) &&
    same(now, old, [sides[1], sides[0]])
  ) {
    change("alternatives", "narrowed", "other alternatives were removed");
    return true;
  }
  return false;
}

/** The value behind one reference. */
function deep({ root }: Side, place: Place): Value {
  const reference = textAt(place, "$ref");
  if (reference === undefined || !reference.startsWith("#/")) return place.value;
  let at: Place | undefined = { value: root, pointer: "" };
  for (const token of reference.slice(2).split("/")) at = childOf(at, token);
  return at?.value ?? place.value;
}

/** Compares the alternatives of `oneOf` and `anyOf`, and discriminators. */
export function compareGroups(compared: Compared): void {
  const { old, new: now, change } = compared;
  for (let at = 0; at < Math.max(old.groups.length, now.groups.length); at++) {
    const [before, after] = [old.groups[at], now.groups[at]];
    if (before !== undefined && after !== undefined) compareItems(compared, before, after);
    else if (after !== undefined)
      change("alternatives", "narrowed", `must match one of ${after.kind} now`, { new: after.pointer });
    else if (before !== undefined)
      change("alternatives", "widened", `need not match one of ${before.kind} any more`, {
        old: before.pointer,
        isOld: true,
      });
  }
  compareDiscriminators(compared);
}

function compareItems(compared: Compared, before: Alternatives, after: Alternatives): void {
  const { pairs, removed, added } = pairItems(compared, before.items, after.items);
  for (const [a, b] of pairs) compared.compare([a], [b], "", { old: a.pointer, new: b.pointer });
  for (const item of removed)
    compared.change("alternatives", "narrowed", `the alternative ${nameOf(item)} was removed`, {
      old: item.pointer,
      new: after.pointer,
      isOld: true,
    });
  for (const item of added)
    compared.change("alternatives", "widened", `the alternative ${nameOf(item)} was added`, {
      old: before.pointer,
      new: item.pointer,
    });
}

interface Pairs {
  pairs: [Place, Place][];
  removed: Place[];
  added: Place[];
}

/** Pairs alternatives by the name of what they refer to, by title, if they are equal, and then by type and order. */
function pairItems({ numberOf }: Compared, olds: readonly Place[], news: readonly Place[]): Pairs {
  const result: Pairs = { pairs: [], removed: [...olds], added: [...news] };
  const keys: ((item: Place) => string | undefined)[] = [
    (item) => textAt(item, "$ref"),
    (item) => textAt(item, "title"),
    (item) => String(numberOf(item.value)),
    (item) => (textAt(item, "$ref") === undefined ? `${textAt(item, "type") ?? "object"}` : undefined),
  ];
  for (const keyOf of keys) {
    const waiting = new Map<string, Place[]>();
    for (const item of result.added) {
      const key = keyOf(item);
      if (key === undefined) continue;
      const list = waiting.get(key);
      if (list === undefined) waiting.set(key, [item]);
      else list.push(item);
    }
    for (const list of waiting.values()) list.reverse();
    const taken = new Set<Place>();
    result.removed = result.removed.filter((item) => {
      const key = keyOf(item);
      const other = key === undefined ? undefined : waiting.get(key)?.pop();
      if (other === undefined) return true;
      result.pairs.push([item, other]);
      taken.add(other);
      return false;
    });
    result.added = result.added.filter((item) => !taken.has(item));
  }
  return result;
}

function nameOf(item: Place): string {
  const name = textAt(item, "$ref")?.split("/").at(-1) ?? textAt(item, "title") ?? textAt(item, "type");
  return JSON.stringify((name ?? "without a name").slice(0, 80));
}

function compareDiscriminators({ direction, old, new: now, change, report }: Compared): void {
  const [a, b] = [old.discriminator, now.discriminator];
  if (a === undefined && b === undefined) return;
  if (a === undefined || b === undefined) {
    const isOld = b === undefined;
    const where = { ...(a && { old: a.pointer }), ...(b && { new: b.pointer }), isOld };
    return report(
      isOld ? "discriminator-removed" : "discriminator-added",
      `the discriminator was ${isOld ? "removed" : "added"}`,
      where,
    );
  }
  const where = { old: a.pointer, new: b.pointer };
  // In 2.0 it is the name alone.
  const nameOfBoth = [a, b].map((one) =>
    typeof one.value === "string" ? one.value : textAt(one, "propertyName"),
  );
  if (nameOfBoth[0] !== nameOfBoth[1])
    report(
      `${direction}-discriminator-changed`,
      `the discriminator is ${JSON.stringify(nameOfBoth[1] ?? "")}, was ${JSON.stringify(nameOfBoth[0] ?? "")}`,
      where,
    );
  const [before, after] = [a, b].map((one) => new Map(membersOf(childOf(one, "mapping")))) as [
    Map<string, Place>,
    Map<string, Place>,
  ];
  for (const [name, place] of before) {
    const other = after.get(name);
    const shown = JSON.stringify(name.slice(0, 80));
    if (other === undefined)
      change("discriminator", "narrowed", `the mapping of ${shown} was removed from the discriminator`, {
        ...where,
        old: place.pointer,
        isOld: true,
      });
    else if (other.value !== place.value)
      report(`${direction}-discriminator-changed`, `the discriminator maps ${shown} to another schema`, {
        old: place.pointer,
        new: other.pointer,
      });
  }
  for (const [name, place] of after)
    if (!before.has(name))
      change(
        "discriminator",
        "widened",
        `a mapping of ${JSON.stringify(name.slice(0, 80))} was added to the discriminator`,
        { ...where, new: place.pointer },
      );
}
