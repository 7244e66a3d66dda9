import type { Dictionary, Value } from "../data/value.ts";
import { hasJsonSchemas } from "../openapi/grammar.ts";
import type { Report, Where } from "./change.ts";
import { compareGroups, compareWrapped } from "./compare-alternatives.ts";
import { compareConditions, compareFlags } from "./compare-conditions.ts";
import { compareLimits, compareTypes } from "./compare-limits.ts";
import { compareItems, compareProperties } from "./compare-properties.ts";
import type { Flat } from "./flat.ts";
import { flatten } from "./flatten.ts";
import { maxHops, type Place, type Side, targetOf } from "./places.ts";
import type { Direction, Subject } from "./rules.ts";

/** Two lists of schemas, each of which a value has to match as a whole. */
export interface Pair {
  direction: Direction;
  /** Where the value travels as text, such as in a query: every type of scalars is a string there. */
  isText?: boolean;
  old: readonly Place[];
  new: readonly Place[];
  /** Places of the holders, for schemas that one side lacks. */
  where: Where;
  /** Names the part of an operation in messages: `response 200`. */
  label: string;
  /** The way to the value in it: `items[].name`. */
  path?: string;
}

/** One pair of schemas that are compared, with what they require. */
export interface Compared extends Pick<Pair, "direction" | "isText"> {
  old: Flat;
  new: Flat;
  /** Reports at places of both, by default those of the schemas. */
  report(rule: string, message: string, where?: Partial<Where>): void;
  /** Reports that fewer or more values are allowed. */
  change(subject: Subject, effect: "narrowed" | "widened", message: string, where?: Partial<Where>): void;
  /** Adds a pair of inner schemas. */
  compare(old: readonly Place[], now: readonly Place[], name: string, where?: Partial<Where>): void;
  sides: readonly [Side, Side];
  numberOf(value: Value): number;
}

export interface SchemaComparer {
  /** Compares a pair, and all pairs below it. */
  compare(pair: Pair, report: Report): void;
}

interface ComparerDeps {
  old: Side;
  new: Side;
  numberOf(value: Value): number;
  /** Called for each schema and each pair; throws if there are too many. */
  count(): void;
}

/** Characters of the way to a value. */
const maxPath = 200;

/** Each pair is compared once for each direction: components are used in many places, and refer to themselves. */
export function createSchemaComparer({ old, new: now, numberOf, count }: ComparerDeps): SchemaComparer {
  const known = new Set<string>();
  const olds = new Map<string, Flat>();
  const news = new Map<string, Flat>();
  const flat = (side: Side, flats: Map<string, Flat>, places: readonly Place[], pointer: string): Flat => {
    const key = places.length === 0 ? `none ${pointer}` : places.map((place) => place.pointer).join(" ");
    let found = flats.get(key);
    if (found === undefined)
      flats.set(key, (found = flatten(side, places, places[0]?.pointer ?? pointer, { numberOf, count })));
    return found;
  };

  return {
    compare(first, report) {
      const waiting: Pair[] = [first];
      for (let at = 0; at < waiting.length; at++) {
        const given = waiting[at] as Pair;
        const pair = {
          ...given,
          old: given.old.map((one) => behind(old, one)),
          new: given.new.map((one) => behind(now, one)),
        };
        const key = [
          pair.direction,
          pair.isText === true,
          ...pair.old.map(({ pointer }) => pointer),
          "to",
          ...pair.new.map(({ pointer }) => pointer),
        ].join(" ");
        if (known.has(key)) continue;
        known.add(key);
        count();
        const flats = {
          old: flat(old, olds, pair.old, pair.where.old),
          new: flat(now, news, pair.new, pair.where.new),
        };
        comparePair(pair, flats, { old, new: now, numberOf }, report, (inner) => void waiting.push(inner));
      }
    },
  };
}

/** Follows references that stand alone, so that all places of a component are one pair. */
function behind(side: Side, place: Place): Place {
  let at = place;
  for (let hops = 0; hops < maxHops; hops++) {
    const { value } = at;
    const reference = value instanceof Map ? value.get("$ref") : undefined;
    if (typeof reference !== "string" || (hasJsonSchemas(side.version) && (value as Dictionary).size > 1))
      return at;
    const target = targetOf(side, reference);
    if (target === undefined) return at;
    at = target;
  }
  return at;
}

function comparePair(
  { direction, isText, label, path = "" }: Pair,
  flats: { old: Flat; new: Flat },
  { old, new: now, numberOf }: Omit<ComparerDeps, "count">,
  report: Report,
  add: (pair: Pair) => void,
): void {
  const shown = path === "" ? label : `${label}, ${path.replace(/^\./, "")}`;
  const tell: Compared["report"] = (rule, message, where = {}) =>
    report(rule, { old: flats.old.pointer, new: flats.new.pointer, ...where }, `${shown}: ${message}`);
  const compared: Compared = {
    direction,
    ...(isText !== undefined && { isText }),
    ...flats,
    sides: [old, now],
    numberOf,
    report: tell,
    change: (subject, effect, message, where) => tell(`${direction}-${subject}-${effect}`, message, where),
    compare(olds, news, name, where = {}) {
      add({
        direction,
        old: olds,
        new: news,
        label,
        path: path.length + name.length > maxPath ? path : path + name,
        where: { old: flats.old.pointer, new: flats.new.pointer, ...where },
      });
    },
  };
  if (flats.old.never !== flats.new.never)
    return compared.change(
      "type",
      flats.new.never ? "narrowed" : "widened",
      flats.new.never ? "no value is allowed any more" : "values are allowed",
    );
  if (flats.new.never || compareWrapped(compared) || !compareTypes(compared)) return;
  compareLimits(compared);
  compareProperties(compared);
  compareItems(compared);
  compareGroups(compared);
  compareConditions(compared);
  compareFlags(compared);
}
