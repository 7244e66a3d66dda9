import type { Compared } from "./compare-schemas.ts";
import type { Flat } from "./flat.ts";
import { isTrueAt, objectAt, type Place, type Side } from "./places.ts";

/** Compares properties: which there are, which are required, and what they allow. */
export function compareProperties(compared: Compared): void {
  const { old, new: now, sides, compare } = compared;
  for (const [name, before] of old.properties) {
    const after = now.properties.get(name);
    if (after === undefined) reportRemoved(compared, name, before);
    else if (!isIgnored(compared, sides[1], after)) {
      compareMutability(compared, name, before, after);
      if (!isIgnored(compared, sides[0], before))
        compare(before, after, `.${name}`, { old: before[0]?.pointer ?? "", new: after[0]?.pointer ?? "" });
      compareRequired(compared, name, before, after);
    } else compareMutability(compared, name, before, after);
  }
  for (const [name, after] of now.properties)
    if (!old.properties.has(name) && !isIgnored(compared, sides[1], after))
      reportAdded(compared, name, after);
  compareUndeclared(compared);
  compareAdditional(compared);
}

/** A request has no read-only properties, and a response no write-only ones. */
const ignoredFlag = ({ direction }: Compared): "readOnly" | "writeOnly" =>
  direction === "request" ? "readOnly" : "writeOnly";

const hasFlag = (side: Side, schemas: readonly Place[], flag: string): boolean =>
  schemas.some((place) => isTrueAt(place, flag) || isTrueAt(objectAt(side, place), flag));

const isIgnored = (compared: Compared, side: Side, schemas: readonly Place[]): boolean =>
  hasFlag(side, schemas, ignoredFlag(compared));

const quote = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);

function reportRemoved(compared: Compared, name: string, before: readonly Place[]): void {
  const { direction, old, new: now, sides, report, change } = compared;
  if (isIgnored(compared, sides[0], before)) return;
  const where = { old: before[0]?.pointer ?? old.pointer, new: now.pointer, isOld: true };
  const isClosed = direction === "request" && isClosedFor(now, name);
  if (hasFlag(sides[0], before, "deprecated") && !isClosed)
    return report("deprecated-property-removed", `the deprecated property ${quote(name)} was removed`, where);
  if (isClosed)
    return change(
      "additional-properties",
      "narrowed",
      `the property ${quote(name)} is not allowed any more`,
      where,
    );
  const rule =
    direction === "request"
      ? "request-property-removed"
      : `${old.required.has(name) ? "required" : "optional"}-response-property-removed`;
  report(rule, `the property ${quote(name)} was removed`, where);
}

/** Whether a schema allows no property of a name that it does not declare. */
const isClosedFor = (flat: Flat, name: string): boolean =>
  flat.additional.some(({ value }) => value === false) &&
  ![...flat.patternProperties.keys()].some((pattern) => name.includes(pattern.replaceAll(/[\^$]/g, "")));

function reportAdded(compared: Compared, name: string, after: readonly Place[]): void {
  const { direction, old, new: now, report } = compared;
  const isRequired = now.required.has(name);
  const where = { old: old.pointer, new: after[0]?.pointer ?? now.pointer };
  // It was required before, without being described.
  if (isRequired && old.required.has(name)) return;
  const rule =
    direction === "response"
      ? "response-property-added"
      : `${isRequired ? "required" : "optional"}-request-property-added`;
  report(rule, `the ${isRequired ? "required" : "optional"} property ${quote(name)} was added`, where);
}

function compareRequired(
  { direction, old, new: now, report, sides }: Compared,
  name: string,
  before: readonly Place[],
  after: readonly Place[],
): void {
  const ignored = direction === "request" ? "readOnly" : "writeOnly";
  const was = old.required.has(name) && !hasFlag(sides[0], before, ignored);
  const is = now.required.has(name);
  if (was === is) return;
  const where = {
    old: old.required.get(name) ?? before[0]?.pointer ?? old.pointer,
    new: now.required.get(name) ?? after[0]?.pointer ?? now.pointer,
    isOld: !is,
  };
  report(
    `${direction}-property-became-${is ? "required" : "optional"}`,
    `the property ${quote(name)} became ${is ? "required" : "optional"}`,
    where,
  );
}

/** Compares names that are required without being described. */
function compareUndeclared({ direction, old, new: now, report }: Compared): void {
  const tell = (name: string, is: boolean): void =>
    report(
      `${direction}-property-became-${is ? "required" : "optional"}`,
      `the property ${quote(name)} became ${is ? "required" : "optional"}`,
      {
        ...(is ? { new: now.required.get(name) as string } : { old: old.required.get(name) as string }),
        isOld: !is,
      },
    );
  for (const name of now.required.keys())
    if (!old.required.has(name) && !now.properties.has(name)) tell(name, true);
  for (const name of old.required.keys())
    if (!now.required.has(name) && !old.properties.has(name)) tell(name, false);
}

function compareMutability(
  { direction, new: now, sides, report }: Compared,
  name: string,
  before: readonly Place[],
  after: readonly Place[],
): void {
  const flag = direction === "request" ? "readOnly" : "writeOnly";
  if (hasFlag(sides[0], before, flag) || !hasFlag(sides[1], after, flag)) return;
  report(
    `${direction}-property-became-${direction === "request" ? "read-only" : "write-only"}`,
    `the property ${quote(name)} became ${direction === "request" ? "read-only" : "write-only"}`,
    { old: before[0]?.pointer ?? "", new: after[0]?.pointer ?? now.pointer },
  );
}

/** Compares what properties that are not declared may be. */
function compareAdditional({ old, new: now, change, compare }: Compared): void {
  const closed = (flat: Flat): Place | undefined => flat.additional.find(({ value }) => value === false);
  const schemas = (flat: Flat): Place[] => flat.additional.filter(({ value }) => typeof value === "object");
  const [a, b] = [closed(old), closed(now)];
  if ((a === undefined) !== (b === undefined)) {
    const where = { ...(a && { old: a.pointer }), ...(b && { new: b.pointer }), isOld: b === undefined };
    if (b === undefined)
      change("additional-properties", "widened", "other properties are allowed now", where);
    else change("additional-properties", "narrowed", "other properties are not allowed any more", where);
  } else if (a === undefined && (schemas(old).length > 0 || schemas(now).length > 0))
    compare(schemas(old), schemas(now), ".*");
  for (const pattern of new Set([...old.patternProperties.keys(), ...now.patternProperties.keys()]))
    compare(
      old.patternProperties.get(pattern) ?? [],
      now.patternProperties.get(pattern) ?? [],
      `./${pattern}/`,
    );
}

/** Compares the items of arrays. */
export function compareItems({ old, new: now, compare }: Compared): void {
  if (old.items.length > 0 || now.items.length > 0) compare(old.items, now.items, "[]");
  for (let at = 0; at < Math.max(old.prefix.length, now.prefix.length); at++)
    compare(old.prefix[at] ?? old.items, now.prefix[at] ?? now.items, `[${at}]`);
}
