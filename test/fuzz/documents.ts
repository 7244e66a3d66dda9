import * as fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";

/** The JSON Schema of one field of a tool. */
export interface FieldSchema {
  type?: string;
  /** The text, or a JSON value. */
  anyOf?: unknown[];
  enum?: unknown[];
  items?: FieldSchema;
}

/** A value of no expected type. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    [],
    {},
    -1,
    1e9,
    1.5,
    "",
    "__proto__",
    "\u0000",
    "\ud800",
    true,
    "(a|a)*$",
    "^(a+)+$",
    "../../etc/passwd",
  ),
  fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value ?? null)) as unknown),
);

/** A value that fits the schema of a field, or nearly does. */
export function valueOf(schema: FieldSchema, document: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(fc.integer({ min: -2, max: 40 }), fc.maxSafeInteger());
    case "number":
      return fc.double();
    case "array":
      return fc.array(valueOf(schema.items ?? {}, document), { maxLength: 5 });
    default:
      return fc.oneof(fc.string({ maxLength: 30 }), document);
  }
}

/** Variations of the examples of a tool (cut, joined, repeated, with noise), and unrelated text. */
export function documentLike(examples: string[]): fc.Arbitrary<string> {
  const seed = fc.constantFrom(...(examples.length > 0 ? examples : [""]));
  const cut = fc
    .tuple(seed, fc.nat(), fc.nat())
    .map(([text, a, b]) => text.slice(a % (text.length + 1), b % (text.length + 1) || undefined));
  const peppered = fc
    .tuple(
      seed,
      fc.nat(),
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 8 }),
        fc.constantFrom(..."{}[]()<>\"'`&,:;|#%*\\\n\r\t\0\ufeff"),
      ),
    )
    .map(
      ([text, at, pepper]) =>
        text.slice(0, at % (text.length + 1)) + pepper + text.slice(at % (text.length + 1)),
    );
  const repeated = fc
    .tuple(seed, fc.integer({ min: 2, max: 2000 }))
    .map(([text, times]) => text.repeat(times).slice(0, 300_000));
  const nested = fc
    .tuple(
      fc.constantFrom("[", '{"a":', "(", "<a>", "- ", "> ", "{{#a}}", "&a [*a,"),
      fc.integer({ min: 10, max: 20_000 }),
    )
    .map(([open, times]) => open.repeat(times));
  const long = fc
    .tuple(
      // A control character takes six characters in JSON; one character beyond Latin-1 doubles the memory of a text.
      fc.constantFrom("a", "0", " ", "\n", "é", "中", "😀", "\u0001", "\\", "="),
      fc.oneof(
        { weight: 30, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1_000_000, max: 4_000_000 }) },
      ),
    )
    .map(([unit, times]) => unit.repeat(times));
  // With one character beyond Latin-1, V8 stores the whole text with two bytes a character.
  const twoByte = fc
    .tuple(fc.oneof(cut, repeated, nested), fc.constantFrom("一", "😀", "\u2028"))
    .map(([text, unit]) => text + unit);
  const wide = fc
    .tuple(
      fc.constantFrom<(index: number) => string>(
        (index) => `"k${index}":${index},`,
        (index) => `k${index}: v\n`,
        (index) => `<a${index} b="${index}"/>`,
        (index) => `c${index},`,
        (index) => `K${index}=\${K${index + 1}}\n`,
      ),
      fc.constantFrom("", "{", "[", "<r>"),
      fc.oneof(
        { weight: 10, arbitrary: fc.integer({ min: 100, max: 5000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 50_000, max: 150_000 }) },
      ),
    )
    .map(([unit, open, count]) => open + Array.from({ length: count }, (_, index) => unit(index)).join(""));
  return fc.oneof(
    twoByte,
    wide,
    { weight: 3, arbitrary: seed },
    { weight: 3, arbitrary: cut },
    { weight: 4, arbitrary: peppered },
    repeated,
    nested,
    long,
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
    { weight: 2, arbitrary: fc.json() },
  );
}
