import * as fc from "fast-check";
import { parse, print } from "graphql";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/format/graphql-formatter.ts";
import { atHand, readCorpus } from "../../corpora/corpus.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const format = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, ...options });

test.each([
  ["{a}", "{\n  a\n}\n"],
  ["query{a}", "{\n  a\n}\n"],
  ["query($a:Int=1@d){a}", "query ($a: Int = 1 @d) {\n  a\n}\n"],
  [
    "subscription S@x{a:b(c:[1,2],d:{e:E,f:$g}){...F@y ...on T{g}...{h}}}",
    "subscription S @x {\n  a: b(c: [1, 2], d: { e: E, f: $g }) {\n    ...F @y\n    ... on T {\n      g\n    }\n    ... {\n      h\n    }\n  }\n}\n",
  ],
  ["{a}fragment F on T@x{b}", "{\n  a\n}\n\nfragment F on T @x {\n  b\n}\n"],
  ['extend schema@link(url:"x"){query:Q}', 'extend schema @link(url: "x") {\n  query: Q\n}\n'],
  ["extend schema@a", "extend schema @a\n"],
  ["interface A implements B&C", "interface A implements B & C\n"],
  ['scalar D@specifiedBy(url:"x")', 'scalar D @specifiedBy(url: "x")\n'],
  ["union U=|A|B", "union U = A | B\n"],
  ["extend union U=C", "extend union U = C\n"],
  ["input I{a:Int=1@d b:[I!]}", "input I {\n  a: Int = 1 @d\n  b: [I!]\n}\n"],
  [
    '"""one\n  two"""directive@d("""x"""a:Int)repeatable on FIELD|QUERY',
    '"""\none\ntwo\n"""\ndirective @d(\n  """x"""\n  a: Int\n) repeatable on FIELD | QUERY\n',
  ],
  ["{a,b,,c}", "{\n  a\n  b\n  c\n}\n"],
  // Blank lines stay, one at most, but not at the ends of a block.
  ["{\n\n  a\n\n\n  b\n  c\n\n}", "{\n  a\n\n  b\n  c\n}\n"],
  // Comments.
  ["# head\n\n{ a }\n# end\n", "# head\n\n{\n  a\n}\n\n# end\n"],
  [
    "{ # one\n  a # two\n  # three\n  b\n  # four\n}\n# five",
    "{ # one\n  a # two\n  # three\n  b\n  # four\n}\n\n# five\n",
  ],
  ["{ a( # x\n b: 1) }", "{\n  # x\n  a(b: 1)\n}\n"],
  ["{ a(b: 1\n # x\n c: 2) }", "{\n  a(\n    b: 1\n    # x\n    c: 2\n  )\n}\n"],
  ["type A { a(\n# x\nb: Int # y\n): Int }", "type A {\n  # x\n  # y\n  a(b: Int): Int\n}\n"],
  ["enum E {\n  # x\n  A\n\n  # y\n  B\n}", "enum E {\n  # x\n  A\n\n  # y\n  B\n}\n"],
  ["union U =\n # x\n | A", "# x\nunion U = A\n"],
])("%j is %j", async (data, result) => {
  const found = await format(data);
  expect(found).toBe(result);
});

test("long arguments, unions and locations get lines of their own", async () => {
  const data =
    "{ field(first: 10, after: $cursor) } union U = Aaaaaaaa | Bbbbbbbb | Ccccccc directive @d on FIELD_DEFINITION | OBJECT";
  expect(await format(data, { width: 30, indent: 4 })).toBe(
    "{\n    field(\n        first: 10\n        after: $cursor\n    )\n}\n\nunion U =\n    | Aaaaaaaa\n    | Bbbbbbbb\n    | Ccccccc\n\ndirective @d on\n    | FIELD_DEFINITION\n    | OBJECT\n",
  );
});

test.each([
  ["{ a", { code: "invalid_document", line: 1 }],
  ["", { code: "invalid_document" }],
  ["type A { a: }", { code: "invalid_document", column: 13 }],
  ["{a".repeat(100_000), { code: "invalid_document" }],
])("%s is refused", async (data, refusal) => {
  expect(await refusalOf(format(data))).toMatchObject(refusal);
});

test("a check says where a document would change", async () => {
  expect(await checkTool(tool, { data: "{\n  a\n}\n" })).toMatchObject({ valid: true });
  expect(await checkTool(tool, { data: "{\n  a   }\n" })).toMatchObject({
    valid: false,
    errors: [{ line: 2 }],
  });
});

const commentsOf = (text: string): string[] => {
  const found: string[] = [];
  for (let token = parse(text).loc?.startToken.next; token; token = token.next)
    if (token.kind === "Comment") found.push(token.value.trim());
  return found.toSorted();
};

const tokens = fc.constantFrom(
  ...'{ } ( ) a b : 1 $x @d ... on T type input enum "s" """b\n""" | = & ! [ ]'.split(" "),
  "# c\n",
  "\n",
  "\n\n",
);
const selection = fc.letrec((tie) => ({
  set: fc
    .array(
      fc.tuple(
        fc.constantFrom("", "# x\n", "\n\n", "# x\n\n# y\n"),
        fc.constantFrom(
          "a",
          "b: c",
          "d(e: 1)",
          "f(\n# z\ng: {h: [1, 2]}) @i",
          "...J",
          '# q\nk(l: """m\n n""")',
        ),
        fc.oneof({ depthSize: "small" }, fc.constantFrom("", " # w\n"), tie("set")),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map(
      (items) =>
        ` {${items.map(([before, field, after]) => `${before} ${field}${field.startsWith("...") ? "" : String(after)}`).join("\n")}\n} `,
    ),
})).set as fc.Arbitrary<string>;

test("the meaning and the comments stay, and a second time changes nothing", async () => {
  let count = 0;
  const text = fc.oneof(
    selection,
    fc.tuple(selection, selection).map(([a, b]) => `query A${a}# between\nfragment F on T${b}`),
    fc.array(tokens, { maxLength: 12 }).map((all) => all.join(" ")),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(20, 80), async (data, width) => {
      const result = await format(data, { width }).catch((error: { code?: string }) => {
        expect(error.code).toBe("invalid_document");
      });
      if (result === undefined) return;
      count++;
      expect(print(parse(result))).toBe(print(parse(data)));
      expect(commentsOf(result)).toEqual(commentsOf(data));
      expect(await format(result, { width })).toBe(result);
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(50);
});

const rows = atHand ? readCorpus("graphql-docs").filter(({ slug }) => slug === "graphql-formatter") : [];

test.runIf(atHand)(
  "documents of graphql-js keep their meaning, and nine of ten are laid out as its printer does",
  async () => {
    let same = 0;
    for (const { case: name, input, expect: expected } of rows) {
      const data = input["data"] as string;
      const result = await format(data);
      expect(print(parse(result)), name).toBe(print(parse(data)));
      expect(commentsOf(result), name).toEqual(commentsOf(data));
      expect(await format(result), name).toBe(result);
      if (result.trimEnd() === expected["result"]) same++;
    }
    expect(rows.length).toBeGreaterThan(200);
    expect(same / rows.length).toBeGreaterThan(0.9);
  },
);

test.each([
  ["{}", 0],
  ["query A {}", 8],
  ["{ a { } }", 4],
])("%s has braces without a field, which is refused", async (data, offset) => {
  expect(await refusalOf(runTool(tool, { data }))).toMatchObject({
    code: "invalid_document",
    message: expect.stringContaining("There is no field between these braces."),
    offset,
  });
});
