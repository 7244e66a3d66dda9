import { isMultipleOf, toDecimal } from "../number/decimal.ts";
import type { Compared } from "./compare-schemas.ts";
import type { Bound, Flat, Found } from "./flat.ts";
import { counted, isTighter } from "./flatten.ts";
import type { Subject } from "./rules.ts";

/** Compares what two schemas allow of scalars, and how many items or members. */
export function compareLimits(compared: Compared): void {
  compareFormats(compared);
  compareEnums(compared);
  const { old, new: now, change } = compared;
  const areBoth = (...types: string[]): boolean =>
    [old, now].every(
      (flat) => flat.types === undefined || types.some((type) => flat.types?.has(type) === true),
    );
  if (areBoth("number", "integer")) {
    for (const name of ["minimum", "maximum"] as const) compareBounds(compared, name);
    compareUnits(compared);
  }
  for (const name of counted) if (areBoth(holderOf(name))) compareCounts(compared, name);
  if (areBoth("string")) comparePatterns(compared);
  if ((old.uniqueItems === undefined) !== (now.uniqueItems === undefined))
    change(
      "unique-items",
      now.uniqueItems === undefined ? "widened" : "narrowed",
      now.uniqueItems === undefined ? "items may be equal" : "items must not be equal",
      whereOf(old.uniqueItems, now.uniqueItems),
    );
}

const holderOf = (name: string): string =>
  name.endsWith("Length") ? "string" : name.endsWith("Items") ? "array" : "object";

const whereOf = (
  old: { pointer: string } | undefined,
  now: { pointer: string } | undefined,
): { old?: string; new?: string; isOld: boolean } => ({
  ...(old && { old: old.pointer }),
  ...(now && { new: now.pointer }),
  isOld: now === undefined,
});

/** Formats that let fewer values pass than their type does. int64 and double are the types themselves; other names describe. */
const limiting = new Set(
  "int32 float byte date date-time time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid uri-template json-pointer relative-json-pointer regex".split(
    " ",
  ),
);

function compareFormats({ direction, old, new: now, change }: Compared): void {
  const [a, b] = [old.format, now.format].map((found) =>
    found !== undefined && limiting.has(found.value) ? found : undefined,
  );
  if (a?.value === b?.value) return;
  const message = `format is ${now.format?.value ?? "not limited"}, was ${old.format?.value ?? "not limited"}`;
  const effect =
    b === undefined
      ? "widened"
      : a === undefined
        ? "narrowed"
        : direction === "request"
          ? "narrowed"
          : "widened";
  change("format", effect, message, whereOf(old.format, now.format));
}

/** Values of an enumeration that a message names. */
const maxNamed = 5;

function compareEnums({ direction, old, new: now, change, report }: Compared): void {
  const [a, b] = [old.enum, now.enum];
  const where = whereOf(a, b);
  if (a === undefined && b !== undefined)
    change("enum", "narrowed", `must be one of ${list([...b.value.values()])}`, where);
  else if (a !== undefined && b === undefined)
    change("enum", "widened", "is not limited to some values any more", where);
  else if (a !== undefined && b !== undefined) {
    const removed = [...a.value].flatMap(([number, text]) => (b.value.has(number) ? [] : [text]));
    const added = [...b.value].flatMap(([number, text]) => (a.value.has(number) ? [] : [text]));
    if (removed.length > 0) change("enum", "narrowed", `${list(removed)} cannot be a value any more`, where);
    if (added.length > 0) change("enum", "widened", `${list(added)} can be a value now`, where);
  }
  const [x, y] = [old.extensible, now.extensible];
  const gone =
    x === undefined || y === undefined ? [] : [...x.value].filter(([number]) => !y.value.has(number));
  if (direction === "request" && gone.length > 0)
    report(
      "request-extensible-enum-narrowed",
      `${list(gone.map(([, text]) => text))} cannot be a value any more`,
      whereOf(x, y),
    );
}

const list = (texts: readonly string[]): string =>
  texts.length <= maxNamed
    ? texts.join(", ")
    : `${texts.slice(0, maxNamed).join(", ")} and ${texts.length - maxNamed} more`;

function compareBounds({ old, new: now, change }: Compared, name: "minimum" | "maximum"): void {
  const [a, b] = [old[name], now[name]];
  if (a === undefined && b === undefined) return;
  const effect =
    a === undefined
      ? "narrowed"
      : b === undefined
        ? "widened"
        : isTighter(name, a, b)
          ? "narrowed"
          : isTighter(name, b, a)
            ? "widened"
            : undefined;
  if (effect !== undefined) change(name, effect, `${name} is ${show(b)}, was ${show(a)}`, whereOf(a, b));
}

const show = (bound: Bound | undefined): string =>
  bound === undefined ? "not limited" : `${bound.text.slice(0, 40)}${bound.exclusive ? " (exclusive)" : ""}`;

function compareCounts({ old, new: now, change }: Compared, name: string): void {
  const isLower = name.startsWith("min");
  const none = isLower ? 0 : Infinity;
  const [a, b] = [old.counts.get(name), now.counts.get(name)];
  const [before, after] = [a?.count ?? none, b?.count ?? none];
  if (before === after) return;
  const subject = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as Subject;
  const shown = (count: number): string | number => (count === Infinity ? "not limited" : count);
  change(
    subject,
    after > before === isLower ? "narrowed" : "widened",
    `${name} is ${shown(after)}, was ${shown(before)}`,
    whereOf(a, b),
  );
}

function compareUnits({ direction, old, new: now, change }: Compared): void {
  const [a, b] = [old.multipleOf, now.multipleOf];
  if (a === undefined && b === undefined) return;
  const message = `multipleOf is ${b?.value ?? "not limited"}, was ${a?.value ?? "not limited"}`;
  const holds = (x: Found<string> | undefined, y: Found<string> | undefined): boolean =>
    y === undefined || (x !== undefined && isMultipleOf(toDecimal(x.value), toDecimal(y.value)));
  const [keeps, holdsAll] = [holds(a, b), holds(b, a)];
  if (keeps && holdsAll) return;
  const effect = keeps ? "widened" : holdsAll || direction === "request" ? "narrowed" : "widened";
  change("multiple-of", effect, message, whereOf(a, b));
}

function comparePatterns({ direction, old, new: now, change, report }: Compared): void {
  const removed = [...old.patterns].filter(([pattern]) => !now.patterns.has(pattern));
  const added = [...now.patterns].filter(([pattern]) => !old.patterns.has(pattern));
  for (let at = 0; at < Math.max(removed.length, added.length); at++) {
    const [a, b] = [removed[at], added[at]];
    const where = { ...(a && { old: a[1] }), ...(b && { new: b[1] }), isOld: b === undefined };
    const shown = JSON.stringify((b ?? a)?.[0].slice(0, 80));
    if (a === undefined) change("pattern", "narrowed", `must match the pattern ${shown}`, where);
    else if (b === undefined || /^\^?\.\*\$?$/.test(b[0]))
      change(
        "pattern",
        "widened",
        `need not match the pattern ${JSON.stringify(a[0].slice(0, 80))} any more`,
        where,
      );
    else
      report(
        `${direction}-pattern-changed`,
        `must match the pattern ${shown}, another one than before`,
        where,
      );
  }
}

const scalars = ["string", "number", "integer", "boolean"];
const all = [...scalars, "array", "object", "file"];

/** Reports whether the types have values in common, so that the rest can be compared. */
export function compareTypes({ old, new: now, direction, isText, change }: Compared): boolean {
  const where = { old: old.typePointer, new: now.typePointer };
  const holds = (types: ReadonlySet<string> | undefined, type: string): boolean =>
    types === undefined ||
    types.has(type) ||
    (type === "integer" && types.has("number")) ||
    (isText === true && types.has("string") && scalars.includes(type));
  const missing = (from: Flat, to: Flat): boolean =>
    to.types !== undefined && [...(from.types ?? all)].some((type) => !holds(to.types, type));
  const message = `type is ${showTypes(now)}, was ${showTypes(old)}`;
  const [narrowed, widened] = [missing(old, now), missing(now, old)];
  // Where neither holds the other, both are true; the one that breaks is reported.
  if (narrowed && widened) {
    change("type", direction === "request" ? "narrowed" : "widened", message, where);
  } else if (narrowed) change("type", "narrowed", message, where);
  else if (widened) change("type", "widened", message, where);
  const hasTypes = (flat: Flat): boolean => flat.types !== undefined || flat.groups.length > 0;
  if (old.null !== now.null && hasTypes(old) && hasTypes(now))
    change(
      "null",
      now.null ? "widened" : "narrowed",
      now.null ? "null is allowed now" : "null is not allowed any more",
      where,
    );
  return !(narrowed && widened) || [...(old.types ?? all)].some((type) => holds(now.types, type));
}

const showTypes = ({ types }: Flat): string =>
  types === undefined ? "any" : types.size === 0 ? "none" : [...types].join(" or ");
