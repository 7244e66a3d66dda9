import type { ViewProps } from "./view.ts";

/** The difficulty of guessing a random value. */
export interface Strength {
  /** Undefined where nothing is known about how the value was made. */
  bits: number | undefined;
  /** Number of characters that each is drawn from. */
  pool?: number;
}

/** Returns the strength of a generated value, by the options that it was made with. */
export function strengthOf(
  value: string,
  { definition, options }: Pick<ViewProps, "definition" | "options">,
): Strength {
  const fields = definition?.input.properties;
  const optionOf = (name: string): unknown => options[name] ?? fields?.[name]?.default;
  const bytes = optionOf("bytes");
  if (typeof bytes === "number") return { bits: bytes * 8 };
  const alphabet = optionOf("alphabet");
  if (typeof alphabet === "string") {
    const pool = new Set(alphabet).size;
    return { bits: value.length * Math.log2(pool), pool };
  }
  if (fields?.["symbols"] === undefined) return { bits: undefined };
  const excluded = new Set(String(optionOf("exclude") ?? ""));
  const count = (characters: string): number => [...characters].filter((one) => !excluded.has(one)).length;
  const classes = [
    ["upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    ["lower", "abcdefghijklmnopqrstuvwxyz"],
    ["digits", "0123456789"],
    ["symbols", "!#$%&()*+,-./:;<=>?@[]^_{|}~"],
  ] as const;
  const pool = classes.reduce(
    (sum, [name, characters]) => sum + (optionOf(name) === false ? 0 : count(characters)),
    0,
  );
  return { bits: value.length * Math.log2(Math.max(pool, 1)), pool };
}
