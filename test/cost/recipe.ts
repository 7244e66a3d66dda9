/**
 * A recipe for a text of any size: `head`, `unit` repeated, `core`, `close` as often as `unit`, `tail`. In a unit, `§` is the
 * index of the repetition and `¤` an unordered number, which make keys and lines distinct.
 */
export interface Recipe {
  head: string;
  unit: string;
  core: string;
  close: string;
  tail: string;
  /** The encoding of the text. */
  wrap: (typeof wraps)[number];
}

export const wraps = ["none", "base64", "base64url", "hex", "jwt", "jwt-header", "pem"] as const;

export const plain = (unit: string, around: Partial<Recipe> = {}): Recipe => ({
  head: "",
  unit,
  core: "",
  close: "",
  tail: "",
  wrap: "none",
  ...around,
});

/** Writes a recipe in at most `size` UTF-16 code units. */
export function render(recipe: Recipe, size: number): string {
  const inner = Math.floor(size * shareOf[recipe.wrap]);
  const { head, unit, core, close, tail } = recipe;
  const numbered = placeholder.test(unit) || placeholder.test(close);
  const each = Math.max(1, unit.length + close.length + (numbered ? 4 : 0));
  const room = inner - head.length - core.length - tail.length;
  const count = room > 0 ? Math.floor(room / each) : 0;
  return wrapText(head + repeat(unit, count, false) + core + repeat(close, count, true) + tail, recipe.wrap);
}

const placeholder = /[§¤]/;

function repeat(unit: string, count: number, reversed: boolean): string {
  if (!placeholder.test(unit)) return unit.repeat(count);
  let text = "";
  for (let step = 0; step < count; step++) {
    const index = reversed ? count - 1 - step : step;
    // A prime factor and modulus: neighbours differ widely, and the first ten thousand numbers are distinct.
    text += unit.replaceAll("§", String(index)).replaceAll("¤", String((index * 7919) % 9973));
  }
  return text;
}

/** The share of the size that remains for the wrapped text. */
const shareOf: Record<Recipe["wrap"], number> = {
  none: 1,
  base64: 0.75,
  base64url: 0.75,
  hex: 0.5,
  jwt: 0.72,
  "jwt-header": 0.72,
  pem: 0.72,
};

function wrapText(text: string, wrap: Recipe["wrap"]): string {
  const base64url = (part: string): string => Buffer.from(part).toString("base64url");
  switch (wrap) {
    case "none":
      return text;
    case "base64":
    case "base64url":
    case "hex":
      return Buffer.from(text).toString(wrap);
    case "jwt":
      return `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(text)}.c2lnbmF0dXJl`;
    case "jwt-header":
      return `${base64url(text)}.${base64url('{"sub":"1"}')}.c2lnbmF0dXJl`;
    case "pem":
      return `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString("base64")}\n-----END CERTIFICATE-----\n`;
  }
}
