import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import csvQuery from "../../../src/tools/data/csv-query.ts";
import { atHand } from "../../support/at-hand.ts";
import { propertyRuns } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

/** Tables of a text, an integer of two or three digits and an integer of one digit. */
const table = fc
  .array(
    fc.tuple(
      fc.constantFrom("x", "y", "z", "a b", 'q"q', "u,v", "é"),
      fc.integer({ min: 10, max: 999 }),
      fc.nat(9),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((rows) => `k,n,d\n${rows.map(([k, n, d]) => `"${k.replaceAll('"', '""')}",${n},${d}`).join("\n")}\n`);

interface Case {
  title: string;
  options: Record<string, unknown>;
  mlr: string[];
  sql: string;
}

const cases: Case[] = [
  {
    title: "where and select",
    options: { where: "n > 300 and k <> 'x' or d % 3 = 1", select: ["n", "k", "s=n * 2 - d"] },
    mlr: [
      "filter",
      '$n > 300 && $k != "x" || $d % 3 == 1',
      "then",
      "put",
      "$s = $n * 2 - $d",
      "then",
      "cut",
      "-o",
      "-f",
      "n,k,s",
    ],
    sql: "select n, k, n * 2 - d as s from t where n > 300 and k <> 'x' or d % 3 = 1 order by rowid",
  },
  {
    title: "group and aggregate",
    options: {
      group: ["k"],
      aggregate: ["c=count", "s=sum:n", "lo=min:n", "hi=max:n", "u=distinct:d"],
      sort: ["k:text"],
    },
    mlr: [
      "stats1",
      "-a",
      "count,sum,min,max,distinct_count",
      "-f",
      "n,d",
      "-g",
      "k",
      "then",
      "sort",
      "-c",
      "k",
      "then",
      "cut",
      "-o",
      "-f",
      "k,n_count,n_sum,n_min,n_max,d_distinct_count",
      "then",
      "rename",
      "n_count,c,n_sum,s,n_min,lo,n_max,hi,d_distinct_count,u",
    ],
    sql: "select k, count(*) c, sum(n) s, min(n) lo, max(n) hi, count(distinct d) u from t group by k order by k",
  },
  {
    title: "sort by two keys, offset and limit",
    options: { sort: ["-d:numeric", "n"], select: ["d", "n"], offset: 2, limit: 5 },
    mlr: [
      "sort",
      "-nr",
      "d",
      "-nf",
      "n",
      "then",
      "cat",
      "-n",
      "-N",
      "i",
      "then",
      "filter",
      "$i > 2 && $i <= 7",
      "then",
      "cut",
      "-o",
      "-f",
      "d,n",
    ],
    sql: "select d, n from t order by d desc, n limit 5 offset 2",
  },
  {
    title: "the least number",
    options: { aggregate: ["n_p0=p0:n"] },
    mlr: ["stats1", "-a", "p0", "-f", "n"],
    sql: "select min(n) as n_p0 from t",
  },
];

const parse = (csv: string): string[] => csv.replaceAll("\r\n", "\n").trimEnd().split("\n").slice(1);

/** Both write quotes where they like: compared is what the fields have. */
const records = (csv: string): string[] =>
  parse(csv).map((line) =>
    line.replace(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll('""', '"')),
  );

for (const { title, options, mlr, sql } of cases) {
  test.skipIf(!atHand("mlr"))(`${title}: gives what Miller gives`, async () => {
    for (const data of fc.sample(table, propertyRuns(15))) {
      const theirs = execFileSync("mlr", ["--csv", ...mlr], { input: data, encoding: "utf8" });
      expect(records(await runTool(csvQuery, { data, ...options })), data).toEqual(records(theirs));
    }
  });

  test.skipIf(!atHand("sqlite3"))(`${title}: gives what SQLite gives`, async () => {
    for (const data of fc.sample(table, propertyRuns(15))) {
      const rows = parse(data).map((line) => {
        const [, k = "", n, d] = /^"(.*)",(\d+),(\d+)$/.exec(line) ?? [];
        return `('${k.replaceAll('""', '"').replaceAll("'", "''")}',${n},${d})`;
      });
      const script = `create table t (k text, n integer, d integer);\ninsert into t values ${rows.join(",")};\n.headers on\n.mode csv\n${sql};\n`;
      const theirs = execFileSync("sqlite3", [":memory:"], { input: script, encoding: "utf8" });
      expect(records(await runTool(csvQuery, { data, ...options })), data).toEqual(records(theirs));
    }
  });
}

/** A model of a join without an index. */
test("joins give what comparing every pair gives", async () => {
  const side = fc.array(fc.tuple(fc.constantFrom("1", "2", "3", "01", ""), fc.nat(99)), { maxLength: 12 });
  for (const [left, right] of fc.sample(fc.tuple(side, side), propertyRuns(50))) {
    const text = (rows: typeof left, name: string): string =>
      `id,${name}\n${rows.map(([id, n]) => `${id},${n}`).join("\n")}\n`;
    for (const joinKind of ["inner", "left"]) {
      const wanted = left.flatMap(([id, n]) => {
        const found = right.filter(([other]) => other === id).map(([, m]) => `${id},${n},${m}`);
        return found.length === 0 && joinKind === "left" ? [`${id},${n},`] : found;
      });
      const data = text(left, "n");
      const join = text(right, "m");
      expect(parse(await runTool(csvQuery, { data, other: join, on: ["id"], joinKind }))).toEqual(wanted);
    }
  }
});
