import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execute } from "../../../../src/catalog/execute.ts";
import tool from "../../../../src/tools/format/sql-formatter.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const format = (input: Record<string, unknown>): Promise<string> => runTool(tool, input);
const tokens = (sql: string): string => sql.replaceAll(/\s+/g, "");

test.each([
  [{ data: "" }, ""],
  [{ data: "select 1" }, "select\n  1"],
  [{ data: "select 1", keywordCase: "upper", indent: 4 }, "SELECT\n    1"],
  [{ data: "select 1", useTabs: true }, "select\n\t1"],
  [{ data: "select {{x}} from {{ ref('t') }}" }, "select\n  {{x}}\nfrom\n  {{ ref('t') }}"],
  [{ data: "select a from t where a=:p" }, "select\n  a\nfrom\n  t\nwhere\n  a = :p"],
  [{ data: "select a from t where a=:1" }, "select\n  a\nfrom\n  t\nwhere\n  a = :1"],
  [{ data: "select ${a}, #{b}" }, "select\n  ${a},\n  #{b}"],
  [
    { data: "a=@x and b=%s and c=%(d)s and e=$1", placeholders: ["at", "percent", "dollar"] },
    "a = @x\nand b = %s\nand c = %(d)s\nand e = $1",
  ],
  [{ data: "select a[1:n], b::text", dialect: "postgresql" }, "select\n  a[1:n],\n  b::text"],
  [{ data: "select 'it''s  :p {{x}}' -- :q\n" }, "select\n  'it''s  :p {{x}}' -- :q"],
  [{ data: "select `a` from `t`", dialect: "mysql" }, "select\n  `a`\nfrom\n  `t`"],
  [{ data: "select $$a  b$$", dialect: "postgresql" }, "select\n  $$a  b$$"],
  [{ data: "select 1;select 2;" }, "select\n  1;\n\nselect\n  2;"],
])("%j", async (input, result) => {
  expect(await format(input)).toBe(result);
});

test.each([
  [{ data: "select\n 'open" }, { line: 2, column: 2 }],
  [{ data: "select (" }, { line: 1 }],
  [{ data: "select a::int" }, { line: 1, column: 9 }],
  [
    { data: "select é, {{x}}", placeholders: [] },
    { line: 1, column: 11, offset: 11 },
  ],
])("refuses %j with its place, in few words", async (input, place) => {
  const refusal = await refusalOf(format(input));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
  expect(refusal.message.length).toBeLessThan(200);
});

test("searches for the end of unclosed templates once, not from each of them", async () => {
  const cost = startCost();
  await format({ data: "{{".repeat(5000) }).catch(() => "");
  expect(cost()).toBeLessThan(300);
});

test("reports in check mode whether the document would change", async () => {
  const check = async (data: string): Promise<boolean | undefined> => {
    const call = {
      slug: tool.slug,
      body: { kind: "input" as const, input: { data } },
      form: "json" as const,
      check: true,
    };
    return (await execute(tool, call, context)).valid;
  };
  expect(await check("select 1")).toBe(false);
  expect(await check("select\n  1\n")).toBe(true);
});

test("neither loses nor adds tokens, and changes nothing in its own output", async () => {
  const word = fc.constantFrom(
    "select",
    "a",
    "from",
    "t",
    "where",
    "and",
    "b",
    "=",
    ":p",
    "{{ x }}",
    "'s  s'",
    "1",
    ",",
    "in (1,2)",
    "-- c\n",
    "/* d */",
    "order by",
    ";",
    '"Q"',
    "left join u on",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 15 }), async (words) => {
      const data = words.join(" ");
      const once = await format({ data });
      expect(tokens(once)).toBe(tokens(data));
      expect(await format({ data: once })).toBe(once);
    }),
    { numRuns: 60 },
  );
});

// Microsoft, "Table hints (Transact-SQL)": WITH ( <table_hint> … ) belongs to the table before it.
describe("WITH of Transact-SQL", () => {
  const laidOut = async (data: string, options: Record<string, unknown> = {}): Promise<string> =>
    runTool(tool, { data, dialect: "tsql", ...options });

  test.each([
    ["SELECT a FROM t WITH (NOLOCK) WHERE b=1", "FROM\n  t WITH (NOLOCK)\nWHERE"],
    ["select a from t x with(nolock), u with  (nolock)", "from\n  t x with (nolock),\n  u with (nolock)"],
    ["UPDATE t WITH (ROWLOCK) SET a=1", "UPDATE t WITH (ROWLOCK)\nSET"],
    ["INSERT INTO t WITH (TABLOCK) SELECT 'WITH (x'", "INSERT INTO\n  t WITH (TABLOCK)\nSELECT\n  'WITH (x'"],
    ["SELECT a FROM OPENJSON(@j) WITH (a int '$.a')", "OPENJSON(@j) WITH (a int '$.a')"],
    ["WITH c AS (SELECT 1 a) SELECT * FROM c WITH (NOLOCK)", "WITH\n  c AS (\n"],
    ["WITH c AS (SELECT 1 a) SELECT * FROM c WITH (NOLOCK)", "FROM\n  c WITH (NOLOCK)"],
  ])("%s", async (data, part) => {
    for (const dialect of ["tsql", "transactsql"]) {
      const once = await laidOut(data, { dialect });
      expect(once).toContain(part);
      expect(await laidOut(once, { dialect })).toBe(once);
    }
  });

  test("keeps the case of keywords, or writes the requested one", async () => {
    expect(await laidOut("select a from t with (nolock)", { keywordCase: "upper" })).toContain("t WITH (");
  });
});

test.each([
  [{ identifierCase: "upper" }, "select A from T"],
  [{ functionCase: "upper" }, "select MAX(a) from t"],
  [{ dataTypeCase: "upper" }, "select cast(a as INT)"],
  [{ logicalOperators: "after" }, "a = 1 and\n  b = 2"],
  [{ width: 5 }, "in (\n    1"],
  [{ linesBetween: 2 }, ";\n\n\nselect"],
  [{ denseOperators: true }, "a=1"],
  [{ newlineBeforeSemicolon: true }, "\n;"],
  [{ indentStyle: "tabularRight" }, "   select "],
])("%j", async (options, words) => {
  const data =
    "select a from t; select max(a) from t; select cast(a as int) from t where a = 1 and b = 2 and c in (1,2,3)";
  const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
  const formatted = await runTool(tool, { data, ...options });
  const plain = await runTool(tool, { data });
  const find = words.includes("\n") || words.startsWith(" ") ? (text: string): string => text : flat;
  expect(find(formatted)).toContain(words);
  expect(find(plain)).not.toContain(words);
  expect(await runTool(tool, { data: formatted, ...options })).toBe(formatted);
});
