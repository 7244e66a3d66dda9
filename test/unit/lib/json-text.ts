import * as fc from "fast-check";

const tricky = fc.constantFrom(
  ..."no y ~ null 012 1.0 1e5 e1 0x1F 1:30 1_000 .5 +1 2024-01-01 12:00:00 << = - --- ... %a !x &a *a @ ` # : ? | >".split(
    " ",
  ),
  ..."a: b|a #b|- a|? a|  a|a |\ta|a\n\n|\n|a\n b\n|a\n\tb|\r|\u2028|\u0085|\ufeff|\u007f|\u0000|😀|a.b|[x]|{x}|__proto__".split(
    "|",
  ),
  "word ".repeat(300).trim(),
  "k".repeat(1100),
  "",
);
const strings = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), tricky);
const numbers = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom("1.0", "-0", "1E5", "1e-7", "12345678901234567890", "0.10", "1.5E+3"),
);

/** Generates JSON documents with values that formats easily mistake for another type. */
export function jsonText(options: { null: boolean }): fc.Arbitrary<string> {
  const words = options.null ? ["true", "false", "null"] : ["true", "false"];
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      strings.map((text) => JSON.stringify(text)),
      numbers,
      fc.constantFrom(...words),
      fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .uniqueArray(fc.tuple(strings, tie("value")), { maxLength: 4, selector: ([key]) => key })
        .map((pairs) => `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(",")}}`),
    ),
  }));
  return value;
}
