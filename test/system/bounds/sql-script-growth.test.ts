import { expect, test } from "vitest";
import { startCost } from "../../cost/start-cost.ts";
import { type Dialect, format } from "../../unit/lib/format-sql.ts";

// Without cutting and own look at quotes these take quadratic time, some of them minutes for 60 KB.
test.each<[Dialect, string]>([
  ["sql", "select a; "],
  ["postgresql", "1 "],
  ["postgresql", "/* "],
  ["postgresql", "$a$ $b$ "],
  ["plsql", "q'[ "],
  ["sql", "{{ "],
])("%s: takes about eight times as long for eight times as many %j", async (dialect, token) => {
  const measure = async (bytes: number): Promise<number> => {
    const cost = startCost();
    await format(dialect, token.repeat(bytes / token.length)).catch(() => "");
    return cost();
  };
  await measure(8000);
  const few = await measure(8000);
  expect(await measure(64_000)).toBeLessThan(few * 20 + 20);
});
