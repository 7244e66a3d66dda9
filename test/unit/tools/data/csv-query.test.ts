import { describe, expect, test } from "vitest";
import csvQuery from "../../../../src/tools/data/csv-query.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const query = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(csvQuery, { data, ...options });

const people = 'name,team,age,note\nAda,a,36,\nBob,b,9,x y\nCid,a,100,"q""q"\n';

/** The names of the people that a condition keeps. */
const kept = async (where: string): Promise<string> =>
  (await query(people, { where, select: ["name"] })).split("\n").slice(1).join(" ");

describe("where", () => {
  test.each([
    ["age > 9", "Ada Cid"],
    ["age > '9'", "" /* as texts, 36 and 100 are less */],
    ["age = 36.0", "Ada"],
    ["age = '36.0'", ""],
    ["age == 9 or name <> 'Bob'", "Ada Bob Cid"],
    ["not age >= 36", "Bob"],
    ["team = 'a' and not note contains '\"'", "Ada"],
    ["note = ''", "Ada"],
    ["note", "Bob Cid"],
    ["`note` not in ('', \"x y\")", "Cid"],
    ["NAME = 1 or true", undefined],
    ["name IN ('Ada', 'Cid') AND age < 50", "Ada"],
    ["name startsWith 'A' or name endsWith 'd'", "Ada Cid"],
    ["name matches '^[AB]'", "Ada Bob"],
    ["lower(name) = 'ada' or length(name) > 3", "Ada"],
    ["age % 2 = 1 or -age < -50", "Bob Cid"],
    ["age * 2 - 1 = 71 or (age + 1) / 4 = 2.5", "Ada Bob"],
    ["age / 0 = ''", "Ada Bob Cid"],
    ["if(team = 'a', age, 0) > 36", "Cid"],
    ["number(age) <= .36e2", "Ada Bob"],
  ])("%s", async (where, names) => {
    if (names === undefined)
      expect((await refusalOf(query(people, { where }))).message).toContain("no column");
    else expect(await kept(where)).toBe(names);
  });
});

test.each([
  ["1e3", "2", "age * 0.1 + 0.2", ["3.8", "1.1", "10.2"]],
  [
    "",
    "",
    "9007199254740993 + 0.1 - age * 0",
    ["9007199254740993.1", "9007199254740993.1", "9007199254740993.1"],
  ],
  ["", "", "1 / 3 + age * 0", Array.from({ length: 3 }, () => `0.${"3".repeat(34)}`)],
  ["", "", "-2 / 3 + age * 0", Array.from({ length: 3 }, () => `-0.${"6".repeat(33)}7`)],
  ["", "", "trim(upper(name))", ["ADA", "BOB", "CID"]],
  ["", "", "date('2024-05-01T12:00:00.50+02:00')", Array.from({ length: 3 }, () => "2024-05-01T10:00:00.5Z")],
  ["", "", "note + 1 = ''", undefined],
])("%s%s computes %s", async (_, __, expression, wanted) => {
  const work = query(people, { select: [`x=${expression}`] });
  if (wanted === undefined) {
    const refusal = await refusalOf(work);
    expect(refusal.message).toContain('"x y" is not a number');
    expect(refusal).toMatchObject({ line: 3, column: 1 });
  } else expect(await work).toBe(["x", ...wanted].join("\n"));
});

test("groups, in the order of their first record, and aggregates", async () => {
  const aggregate = [
    "count",
    "count:note",
    "sum:age",
    "m=mean:age",
    "min:name",
    "max:age",
    "distinct:team",
    "p50:age",
    "first:name",
    "last:name",
  ];
  expect(await query(people, { group: ["team"], aggregate, output: "json", indent: 0 })).toBe(
    '[{"team":"a","count":2,"count_note":1,"sum_age":136,"m":68,"min_name":"Ada","max_age":"100","distinct_team":1,"p50_age":36,"first_name":"Ada","last_name":"Cid"},' +
      '{"team":"b","count":1,"count_note":1,"sum_age":9,"m":9,"min_name":"Bob","max_age":"9","distinct_team":1,"p50_age":9,"first_name":"Bob","last_name":"Bob"}]',
  );
  expect(await query("a\n", { aggregate: ["count", "sum:a", "mean:a", "max:a", "p99:a"] })).toBe(
    "count,sum_a,mean_a,max_a,p99_a\n0,0,,,",
  );
  expect(await query("n\n0.1\n0.2\n\n", { aggregate: ["s=sum:n", "mean:n"], emptyLines: "keep" })).toBe(
    "s,mean_n\n0.3,0.15",
  );
  expect(await query("n\n7\n1\n3\n", { aggregate: ["p0:n", "p7:n", "p34:n", "p100:n", "p66.6:n"] })).toBe(
    "p0_n,p7_n,p34_n,p100_n,p66.6_n\n1,1,3,7,3",
  );
});

test.each([
  [["age"], "Bob Ada Cid"],
  [["-age"], "Cid Ada Bob"],
  [["age:text"], "Cid Ada Bob"],
  [["team", "-name"], "Cid Ada Bob"],
  [["note"], "Cid Bob Ada"],
  [["-note"], "Bob Cid Ada"],
])("sorts by %j", async (sort, names) => {
  const rows = (await query(people, { sort, select: ["name"] })).split("\n").slice(1);
  expect(rows.join(" ")).toBe(names);
});

test("sorts stably, naturally, by dates, and by what is computed; offset and limit come last", async () => {
  expect(
    await query("f,d\nf10,2024-01-02\nf9,2024-01-01T23:00:00-05:00\nF1,\n", {
      sort: ["f:natural"],
      select: ["f"],
    }),
  ).toBe("f\nF1\nf9\nf10");
  expect(
    await query("f,d\nf10,2024-01-02\nf9,2024-01-01T23:00:00-05:00\nF1,\n", {
      sort: ["-d:date"],
      select: ["f"],
    }),
  ).toBe("f\nf9\nf10\nF1");
  expect(await query("a\n3\n1\n2\n", { select: ["b=-a"], sort: ["b"], offset: 1, limit: 1 })).toBe("b\n-2");
  const many = Array.from({ length: 500 }, (_, at) => `${at % 3},${at}`).join("\n");
  const sorted = (await query(`k,n\n${many}`, { sort: ["k"], select: ["n"] }))
    .split("\n")
    .slice(1)
    .map(Number);
  expect(sorted).toEqual(
    [0, 1, 2].flatMap((rest) => Array.from({ length: 500 }, (_, at) => at).filter((at) => at % 3 === rest)),
  );
});

test("joins on one column or several, with other names, and keeps what has no partner", async () => {
  const join = "id,name,x\n1,a,X\n1,b,Y\n2,c,Z\n";
  expect(await query("k,name\n1,q\n3,r\n", { other: join, on: ["k=id"] })).toBe(
    "k,name,name_2,x\n1,q,a,X\n1,q,b,Y",
  );
  expect(
    await query("k,name\n1,q\n3,r\n", { other: join, on: ["k=id"], joinKind: "left", select: ["k", "x"] }),
  ).toBe("k,x\n1,X\n1,Y\n3,");
  expect(await query("id,name\n1,b\n", { other: join, on: ["id", "name"] })).toBe("id,name,x\n1,b,Y");
});

test("writes each form", async () => {
  const data = 'a,b c\n1,"x|y\nz"\n20,é\n';
  expect(await query(data)).toBe('a,b c\n1,"x|y\nz"\n20,é');
  expect(await query(data, { output: "json", types: "infer", indent: 0 })).toBe(
    '[{"a":1,"b c":"x|y\\nz"},{"a":20,"b c":"é"}]',
  );
  expect(await query(data, { output: "ndjson", select: ["b=a + 1"] })).toBe('{"b":2}\n{"b":21}');
  expect(await query(data, { output: "markdown" })).toBe(
    "|   a | b c       |\n| --: | --------- |\n|   1 | x\\|y<br>z |\n|  20 | é         |",
  );
  expect(await query(data, { output: "table" })).toBe("  a  b c\n---  -----\n  1  x|y z\n 20  é");
  expect(await query("a;b\n1;2\n", { delimiter: "auto", select: ["b", "a"] })).toBe("b;a\n2;1");
  expect(await query("1,2\n3,4", { header: false, where: "c1 = 3" })).toBe("c1,c2\n3,4");
  expect(await query("a,b\n", { where: "a = 1" })).toBe("a,b");
  expect(await query("")).toBe("");
  expect(
    String(await runRaw(csvQuery, new Uint8Array([0x61, 0x0a, 0xe9]), { encoding: "windows-1252" })),
  ).toBe("a\né");
});

test.each([
  [{ where: "age >" }, "where", "Unexpected the end, expected a value, at character 6."],
  [
    { where: "nope = 1" },
    "where",
    'There is no column "nope"; there are name, team, age, note, at character 1.',
  ],
  [{ where: "age ~ 1" }, "where", 'Unexpected "~"'],
  [{ where: "f(age)" }, "where", "f is not a function"],
  [{ where: "if(age)" }, "where", "if takes 3 arguments, got 1"],
  [{ where: "name = 'x" }, "where", "The closing ' is missing"],
  [{ where: "name matches age" }, "where", "expected a regular expression in quotes"],
  [{ where: "name matches '('" }, "where", "missing"],
  [{ where: "1 2" }, "where", "expected an operator or the end"],
  [{ where: `${"(".repeat(500)}1` }, "where", "nests deeper than 200 levels"],
  [{ where: `1${" + 1".repeat(2000)}` }, "where", "more than 1000 operators"],
  [{ select: ["x"] }, "select", 'There is no column "x"'],
  [{ select: ["x=age", "x=1"] }, "select", 'Two columns of the result have the name "x"'],
  [{ sort: ["x"] }, "sort", 'There is no column "x"'],
  [{ group: ["x"] }, "group", 'There is no column "x"'],
  [{ aggregate: ["avg:age"] }, "aggregate", '"avg:age" is not an aggregate'],
  [{ aggregate: ["sum"] }, "aggregate", "sum needs a column"],
  [{ other: "a\n1" }, "on", "other and on belong together"],
  [{ other: "a\n1", on: ["name=b"] }, "on", 'There is no column "b"; there are a'],
])("refuses case %#", async (options, field, message) => {
  const refusal = await refusalOf(query(people, options));
  expect(refusal.code).toBe("invalid_input");
  expect(refusal).toMatchObject({ pointer: `/${field}` });
  expect(refusal.message).toContain(message);
});

test("locates faults of a document, of the joined one too", async () => {
  expect(await refusalOf(query("a,b\n1,2\nx,y\n", { aggregate: ["sum:a"] }))).toMatchObject({
    line: 3,
  });
  expect(await refusalOf(query("a,b\n1,2\n2\n"))).toMatchObject({ line: 3 });
  expect(await refusalOf(query("a\n1\n", { other: "a,b\n1\n", on: ["a"] }))).toMatchObject({
    line: 2,
    field: "other",
  });
  expect((await refusalOf(query("d\n2024-02-30\n", { sort: ["d:date"] }))).message).toContain(
    "not a date of ISO 8601",
  );
});

test("an expression costs time linear in the document, also on patterns that backtrack elsewhere", async () => {
  const data = `a\n${`${"a".repeat(2000)}b\n`.repeat(200)}`;
  expect(await query(data, { where: "a matches '^(a+)+$'", aggregate: ["count"] })).toBe("count\n0");
});
