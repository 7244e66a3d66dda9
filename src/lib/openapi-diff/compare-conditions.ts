import { equalValues } from "../data/equal.ts";
import type { Compared } from "./compare-schemas.ts";

/** Compares keywords of which it is not known what a change allows, and reports that they differ. */
export function compareConditions({ direction, old, new: now, report }: Compared): void {
  for (const name of new Set([...old.conditions.keys(), ...now.conditions.keys()])) {
    const [before, after] = [old.conditions.get(name) ?? [], now.conditions.get(name) ?? []];
    const isSame =
      before.length === after.length &&
      before.every(({ value }, at) =>
        after.some((other, to) => to === at && equalValues(value, other.value)),
      );
    if (isSame) continue;
    const [a, b] = [before[0], after[0]];
    const what = name === "$ref" ? "a reference to another document" : name;
    const how = a === undefined ? "was added" : b === undefined ? "was removed" : "has changed";
    report(`${direction}-condition-changed`, `${what} ${how}; its effect is not known`, {
      ...(a && { old: a.pointer }),
      ...(b && { new: b.pointer }),
      isOld: b === undefined,
    });
  }
}

/** Compares defaults, and whether the value is deprecated. */
export function compareFlags({ direction, old, new: now, report, numberOf }: Compared): void {
  const [a, b] = [old.default, now.default];
  const numbers = [a, b].map((place) => (place === undefined ? undefined : numberOf(place.value)));
  if (direction === "request" && numbers[0] !== numbers[1]) {
    const how = a === undefined ? "was added" : b === undefined ? "was removed" : "has changed";
    report("request-default-changed", `the default ${how}`, {
      ...(a && { old: a.pointer }),
      ...(b && { new: b.pointer }),
      isOld: b === undefined,
    });
  }
  const [was, is] = [old.flags.has("deprecated"), now.flags.has("deprecated")];
  if (was !== is)
    report(
      is ? "property-deprecated" : "property-reactivated",
      is ? "is deprecated" : "is not deprecated any more",
    );
}
