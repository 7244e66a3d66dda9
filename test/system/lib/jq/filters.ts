/** Random numbers from 0 to below `below`, the same for the same seed. */
export type Draw = (below: number) => number;

/** Mulberry32: thirty-two bits of state are enough to vary filters. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const documents = [
  "7",
  "[3,1,2,1]",
  '{"a":1,"b":[1,{"c":null}],"c":"x"}',
  '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":1,"b":"z"}]',
  "[[1,2],[3],[]]",
  '{"a":true,"b":{"a":[10,20]}}',
];

const scalars = ["null", "true", "false", "0", "1", "-1", "2.5", '"a"', '"b"', '""', "[]", "{}"];

const plain = [
  ".",
  "length",
  "keys",
  "type",
  "not",
  "add",
  "tostring",
  "tojson",
  "sort",
  "unique",
  "flatten",
  "min",
  "max",
  "to_entries",
  "first",
  "last",
  "any",
  "all",
  "floor",
  "ascii_downcase",
  "ascii_upcase",
  "explode",
  "utf8bytelength",
  "transpose",
  "paths",
  "..",
  ".[]",
  ".[]?",
  "map_values(.)",
  "@json",
  "@text",
  "@base64",
  "@html",
  "tonumber",
  "values",
  "nulls",
  "scalars",
  "iterables",
  "empty",
  "arrays",
  "objects",
  "strings",
  "numbers",
  "booleans",
  "tostream",
  "combinations",
];

const withOne = [
  (f: string) => `map(${f})`,
  (f: string) => `select(${f})`,
  (f: string) => `[${f}]`,
  (f: string) => `sort_by(${f})`,
  (f: string) => `group_by(${f})`,
  (f: string) => `unique_by(${f})`,
  (f: string) => `min_by(${f})`,
  (f: string) => `max_by(${f})`,
  (f: string) => `first(${f})`,
  (f: string) => `[limit(3; ${f})]`,
  (f: string) => `isempty(${f})`,
  (f: string) => `any(${f})`,
  (f: string) => `all(${f})`,
  (f: string) => `[paths(${f})]`,
  (f: string) => `map_values(${f})`,
  (f: string) => `try (${f}) catch "caught"`,
  (f: string) => `(${f})?`,
  (f: string) => `del(${f})`,
  (f: string) => `[path(${f})]`,
  (f: string) => `has(${f})`,
  (f: string) => `-(${f})`,
  (f: string) => `.[${f}]`,
  (f: string) => `"x\\(${f})y"`,
  (f: string) => `[range(${f})]`,
  (f: string) => `(def f: ${f}; f, [f])`,
  (f: string) => `(def f(g): g | g; f(${f}))`,
  (f: string) => `label $out | (${f} | ., break $out)`,
  (f: string) => `walk(${f})`,
  (f: string) => `contains(${f})`,
  (f: string) => `[.[]? | ${f}]`,
  (f: string) => `index(${f})`,
  (f: string) => `join(${f})`,
  (f: string) => `split(${f})`,
  (f: string) => `startswith(${f})`,
  (f: string) => `[recurse(if type == "array" then .[] else empty end; ${f})]`,
];

const withTwo = [
  (f: string, g: string) => `${f} | ${g}`,
  (f: string, g: string) => `(${f}), (${g})`,
  (f: string, g: string) => `(${f}) + (${g})`,
  (f: string, g: string) => `(${f}) - (${g})`,
  (f: string, g: string) => `(${f}) * (${g})`,
  (f: string, g: string) => `(${f}) / (${g})`,
  (f: string, g: string) => `(${f}) == (${g})`,
  (f: string, g: string) => `(${f}) < (${g})`,
  (f: string, g: string) => `(${f}) >= (${g})`,
  (f: string, g: string) => `(${f}) and (${g})`,
  (f: string, g: string) => `(${f}) or (${g})`,
  (f: string, g: string) => `(${f}) // (${g})`,
  (f: string, g: string) => `(${f}) as $x | [$x, (${g})]`,
  (f: string, g: string) => `(${f}) as [$x, {a: $y}] | [$x, $y] | ${g}`,
  (f: string, g: string) => `reduce (${f}) as $x (.; [$x, (${g})])`,
  (f: string, g: string) => `[foreach (${f}) as $x (null; [$x, .]; ${g})]`,
  (f: string, g: string) => `{a: (${f}), b: (${g})}`,
  (f: string, g: string) => `{(${f} | tostring): (${g})}`,
  (f: string, g: string) => `setpath([(${f})]; ${g})`,
  (f: string, g: string) => `.[(${f}):(${g})]`,
  // The texts of errors are no part of the language.
  (f: string, g: string) => `try (${f}) catch (null | ${g})`,
  (f: string, g: string) => `[.[]? as [$x] | [$x, (${f}), (${g})]]`,
  (f: string, g: string) => `[while((${f}) and false; ${g})]`,
];

const paths = [
  ".a",
  ".b",
  ".[0]",
  ".[1]",
  ".[]",
  ".[]?",
  ".a.b",
  ".b[0]",
  ".[-1]",
  ".[1:]",
  "..",
  ".a?",
  ".[0].a",
  "(.a, .b)",
  ".[] | select(. == 1)",
  'getpath(["a"])',
  "first(.[])",
  "(.a // .b)",
];
const updates = ["=", "|=", "+=", "//=", "-=", "*="];

/** Makes a filter of the language that gojq and jq 1.8 share. */
export function drawFilter(draw: Draw, depth: number): string {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const inner = (): string => drawFilter(draw, depth - 1);
  if (depth <= 0) return draw(3) === 0 ? pick(scalars) : draw(2) === 0 ? pick(plain) : pick(paths);
  switch (draw(8)) {
    case 0:
      return `if ${inner()} then ${inner()} else ${inner()} end`;
    case 1:
      return `(${pick(paths)}) ${pick(updates)} (${inner()})`;
    case 2:
    case 3:
    case 4:
      return pick(withOne)(inner());
    case 5:
      return drawFilter(draw, 0);
    default:
      return pick(withTwo)(inner(), inner());
  }
}

/**
 * Whether a path expression may end in a boolean of `any` or `all`, or in a value that `del` has left as it was. jq compares the end with the value
 * that it selected last, and takes two equal ones for the same, so that `path(any)` of [true] is [0] and `del(del(empty))` of 7 is null. Ours
 * refuses them: the value is made, and no part of the input.
 */
export const isPathOfResult = (filter: string): boolean =>
  (/\b(?:any|all)\b/.test(filter) && /\b(?:path|paths|del|map_values)\b|[^=!<>]=[^=]/.test(filter)) ||
  /\b(?:path|paths|del|map_values)\(.*\bdel\(|\bdel\(.*\).*[^=!<>]=[^=]/.test(filter);

export const drawDocument = (draw: Draw): string => documents[draw(documents.length)] as string;
