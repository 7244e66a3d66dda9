import { splitWords } from "../text/words.ts";
import { countOf, type Shape } from "./shape.ts";

/** A type, as every language has it. */
export type Type =
  | { kind: "any" | "boolean" | "number" | "string" | "date" }
  /** `size` is the number of bits that it needs; `big` is more than 64. */
  | { kind: "integer"; size: 32 | 64 | "big" }
  | { kind: "list"; items: Field }
  | { kind: "named"; name: string }
  | { kind: "union"; types: readonly Type[] };

/** A type, and whether null may stand in its place. */
export interface Field {
  type: Type;
  nullable: boolean;
}

export interface Member extends Field {
  /** The name in the document. */
  key: string;
  /** Whether the document may lack it. */
  optional: boolean;
}

export interface Declared {
  name: string;
  members: readonly Member[];
}

/** The input of a renderer: the objects, the outermost first, and the type of the whole document. */
export interface Model {
  root: Field;
  name: string;
  objects: readonly Declared[];
}

/** Types that the languages have. */
export const builtIn: ReadonlySet<string> = new Set(
  "Any Array BaseModel BigInteger Bool Boolean Box Codable CodingKey CodingKeys Data DateTime Date DateTimeOffset Decimal Decoder Deserialize Dictionary Double Encoder Enum Error Exception Field Float Function Infinity Instant Int Integer JSON JSONValue JsonElement JsonProperty JsonPropertyName JsonValue List Long Map Mutation NaN Never Nothing Null Number Object OffsetDateTime Optional Option Override Promise Protocol Query Record Result Self SerialName Serializable Serialize Set Some None Ok Err String Subscription Symbol System True False Type Unit Vec Void ID Void Character".split(
    " ",
  ),
);

/** Makes types of a shape. Objects with the same members have one name. Strings that are all times are dates with `dates`. */
export function toModel(shape: Shape, name: string, dates: boolean): Model {
  const objects: Declared[] = [];
  const byContent = new Map<string, string>();
  const taken = new Set<string>([name, ...builtIn]);
  /** The number to try next, by the name that it is added to. */
  const numbers = new Map<string, number>();
  const isObject = shape.objects > 0 && shape.objects === countOf(shape);

  function fieldOf(of: Shape, wanted: string): Field {
    const types: Type[] = [];
    if (of.objects > 0) types.push({ kind: "named", name: declare(of, wanted) });
    if (of.arrays > 0)
      types.push({
        kind: "list",
        items:
          of.items === undefined
            ? { type: { kind: "any" }, nullable: false }
            : fieldOf(of.items, toSingular(wanted)),
      });
    if (of.strings > 0) types.push({ kind: dates && of.formats.includes("date-time") ? "date" : "string" });
    if (of.decimals > 0) types.push({ kind: "number" });
    else if (of.integers > 0) types.push({ kind: "integer", size: sizeOf(of) });
    if (of.booleans > 0) types.push({ kind: "boolean" });
    const [only = { kind: "any" as const }] = types;
    return {
      type: types.length > 1 ? { kind: "union", types } : only,
      nullable: of.nulls > 0 && types.length > 0,
    };
  }

  function declare(of: Shape, wanted: string): string {
    // Where null may stand for the whole document its name is that of both.
    const own = objects.length === 0 && isObject ? name : undefined;
    const declared: Declared = { name: own ?? "", members: [] };
    // The place of an object is before those of its members.
    const place = objects.push(declared) - 1;
    const members = Array.from(of.members, ([key, member]): Member => ({
      key,
      optional: countOf(member) < of.objects,
      ...fieldOf(member, toTypeName(key)),
    }));
    const content = JSON.stringify(members);
    const known = own === undefined ? byContent.get(content) : undefined;
    if (known !== undefined) {
      // What is declared since then is a repetition, too.
      objects.length = place;
      return known;
    }
    declared.name = own ?? unique(wanted);
    declared.members = members;
    byContent.set(content, declared.name);
    return declared.name;
  }

  function unique(wanted: string): string {
    let found = wanted;
    let next = numbers.get(wanted) ?? 2;
    while (taken.has(found)) found = `${wanted}${next++}`;
    numbers.set(wanted, next);
    taken.add(found);
    return found;
  }

  const root = fieldOf(shape, name);
  return { root, name, objects };
}

function sizeOf({ smallest = "0", largest = "0" }: Shape): 32 | 64 | "big" {
  const fits = (text: string, bits: number): boolean =>
    text.length < 25 && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
  if (fits(smallest, 32) && fits(largest, 32)) return 32;
  return fits(smallest, 64) && fits(largest, 64) ? 64 : "big";
}

/** `order_items` is OrderItems. A key without letters is Value. */
export function toTypeName(key: string): string {
  const words = splitWords(key.normalize("NFKD").slice(0, 200)).map((word) =>
    word.replaceAll(/[^A-Za-z0-9]/g, ""),
  );
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  if (name === "") return "Value";
  return /^\d/.test(name) ? `Value${name}` : name;
}

/** The name of an item of a list: `Items` has `Item`. */
export function toSingular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(name)) return name.slice(0, -2);
  if (/[^su]s$/.test(name)) return name.slice(0, -1);
  return `${name}Item`;
}
