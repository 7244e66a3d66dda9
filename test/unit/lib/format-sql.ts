import { expect } from "vitest";
import { loadSqlFormatter, type sqlDialects } from "../../../src/lib/sql/format.ts";

export type Dialect = (typeof sqlDialects)[number];

/** Formats a text, and expects that its result stays as it is when it is formatted. */
export async function format(dialect: Dialect, text: string): Promise<string> {
  const formatter = await loadSqlFormatter({
    dialect,
    keywordCase: "preserve",
    indent: 2,
    useTabs: false,
    placeholders: ["braces", "colon"],
  });
  const result = formatter(text);
  expect(formatter(result)).toBe(result);
  return result;
}
