import type { CatalogTool } from "../../src/catalog/catalog.ts";
import { type Field, fieldsOf } from "../../src/catalog/fields.ts";
import { plain, type Recipe } from "./recipe.ts";

/** The texts from which the search of a field starts. */
export interface Seeds {
  /** Texts that the tool accepts, or nearly. */
  texts: readonly string[];
  /** Fragments of those, and characters with a meaning in some format. */
  tokens: readonly string[];
}

const everywhere = [
  ..." aZ0_1-+.,;:=*?!/\\|&%$#@~^'\"`<>()[]{}",
  ..."\t\n\r\0\u001b\u007f\u00a0\u00ad\u200b\u202e\ufeff",
  ..."éßİ中а\u0301😀ﬃ",
  "\r\n",
  "\ud800",
  "👩‍👩‍👧",
  ...'§ 0.§ a§=§\n "a§":§, §\n aB \\n \\u0041 &amp; &#§; %41 ${a} 1e9 99999999'.split(" "),
];

/** Shapes common to many formats: deep, wide, with long lines and with short ones. */
const shapes: readonly Recipe[] = [
  plain("[", { close: "]", core: "1" }),
  plain('{"a":', { close: "}", core: "1" }),
  plain("1,", { head: "[", core: "1", tail: "]" }),
  plain("[],", { head: "[", core: "1", tail: "]" }),
  plain('"k§":§,', { head: "{", core: '"z":1', tail: "}" }),
  plain('"k§":{"a":§},', { head: "{", core: '"z":{}', tail: "}" }),
  plain('{"a":1},', { head: "[", core: "{}", tail: "]" }),
  plain("\\u0001", { head: '{"a":"', tail: '"}' }),
  plain("9", { head: '{"a":', core: "1", tail: "}" }),
  plain("a§=§\n"),
  plain("¤\n"),
  plain("¤.¤.¤\n"),
  plain("¤ a\n"),
  plain("k.", { core: "a = 1\n" }),
  plain("[a§]\nb = §\n"),
  plain("[[a]]\nb = §\n"),
  plain("a.b§ = §\n"),
  plain("a§,", { head: "b = {", core: "" }),
  plain("<a>", { close: "</a>" }),
];

/** Collects the seeds of a field from the examples of the tool and the words of its description. */
export function seedsOf(tool: CatalogTool, field: Field): Seeds {
  const own = tool.examples.flatMap(({ input }) => [input[field.name] ?? []].flat()).map(String);
  const others = tool.examples
    .flatMap(({ input }) => Object.values(input).flat())
    .filter((value) => typeof value === "string");
  const texts = [...new Set([...own, ...(field.values ?? [])])];
  const words = [...others, field.description].flatMap(
    (text) => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [],
  );
  const named = fieldsOf(tool.input).flatMap(({ values = [] }) => values);
  return {
    texts,
    tokens: [...new Set([...texts.filter(({ length }) => length < 200), ...words, ...named, ...everywhere])],
  };
}

/** Makes a recipe from seeds: a shape, a sequence of tokens, or an example with one part repeated. */
export function drawRecipe({ texts, tokens }: Seeds, draw: Draw): Recipe {
  const kind = draw.below(10);
  if (kind < 2) return draw.of(shapes);
  const token = (): string => draw.of(tokens);
  if (kind < 5 || texts.length === 0) {
    const unit = Array.from({ length: 1 + draw.below(4) }, token).join("");
    return plain(unit, {
      ...(draw.chance(0.3) && { head: token() }),
      ...(draw.chance(0.3) && { tail: token() }),
      ...(draw.chance(0.15) && { close: token() }),
      ...(draw.chance(0.1) && { core: token() }),
    });
  }
  return repeatPart(draw.of(texts), token, draw);
}

function repeatPart(text: string, token: () => string, draw: Draw): Recipe {
  const from = draw.below(text.length + 1);
  const to = draw.chance(0.3) ? text.length : from + draw.below(text.length - from + 1);
  const part = text.slice(from, to);
  const unit = draw.chance(0.3) ? part.replace(/\d+|[a-z]+/i, (word) => `${word}§`) : part;
  const joined = draw.chance(0.5) ? unit : unit + token();
  return plain(joined === "" ? token() : joined, {
    head: text.slice(0, from),
    core: draw.chance(0.5) ? part : "",
    tail: text.slice(to),
  });
}

/** Pseudo-random choices from a seed. */
export interface Draw {
  below(limit: number): number;
  chance(probability: number): boolean;
  of<T>(values: readonly T[]): T;
}

export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    of: (values) => values[below(values.length)] as never,
  };
}
