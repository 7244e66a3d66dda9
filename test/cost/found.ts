import type { Candidate, Part } from "./candidate.ts";
import { inlineBytes } from "./measure.ts";
import { plain, type Recipe } from "./recipe.ts";

/**
 * Inputs that once cost a tool many times the limit, some of them seconds. The search may miss them in the time of a test,
 * so each one is measured every time.
 */
export const found: Readonly<Record<string, readonly Candidate[]>> = {
  "semver-comparer": [
    values(
      { data: text("1.2.§\n"), op: { value: "satisfies" }, range: text("9||", { tail: "9" }) },
      { bytes: 20_000 },
    ),
    values({ data: text("01.2.3\n"), op: { value: "valid" } }, { bytes: 16_384 }),
  ],
  "ip-range-to-cidr": [values({ data: text("::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n") })],
  "cidr-matcher": [
    values({ data: text("::1\n"), cidrs: { ...text("::/§ ", { tail: "::/1" }), share: 0.014, items: " " } }),
  ],
  "cron-parser": [
    values({
      data: { value: "0 0 29 2 MON" },
      days: { value: "and" },
      timeZone: { value: "America/Havana" },
      count: { value: 1000 },
    }),
    values({
      data: { value: "*/7 1,5,9 * * *" },
      timeZone: { value: "Africa/Casablanca" },
      count: { value: 1000 },
    }),
  ],
  "env-validator": [values({ data: text("80\n") })],
  "query-to-json": [values({ data: text("&t") }), values({ data: text("&%C3%A9") })],
  "url-parser": [values({ data: text("1&q=%'", { head: "https://e.com/?q=" }), base: { value: "" } })],
  "string-escaper": [values({ data: text("\ud800"), language: { value: "java" }, ascii: { value: true } })],
  "json-validator": [values({ data: text(",1", { head: "[1", tail: "]" }), dialect: { value: "json5" } })],
  "line-sorter": [
    values({ data: text("¤é\n"), locale: { value: "sv" } }, { bytes: 8192 }),
    values({ data: text("¤ a\n"), numeric: { value: true } }),
  ],
  "whitespace-normalizer": [values({ data: text("\t"), tabWidth: { value: 16 } })],
  "commit-message-linter": [
    values({
      data: text("zz,", { head: "feat(", tail: "): a" }),
      scopes: { ...text("¤,"), share: 0.1, items: "," },
    }),
  ],
  "case-converter": [
    values({ data: text("aB1"), to: { value: "pascal" }, locale: { value: "tr" } }, { bytes: 16_384 }),
  ],
  "jwt-generator": [
    values(
      {
        data: text("\ud800", { head: '{"a":"', tail: '"}' }),
        key: { value: "a secret of thirty-two bytes or more" },
        algorithm: { value: "HS256" },
      },
      { bytes: 4096 },
    ),
  ],
};

function text(unit: string, around: Partial<Recipe> = {}): Extract<Part, { recipe: Recipe }> {
  return { recipe: plain(unit, around), share: 1 };
}

function values(parts: Candidate["parts"], { bytes = inlineBytes } = {}): Candidate {
  return { bytes, form: "input", check: false, parts };
}
