import type { JqValue } from "./value.ts";

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";
export type UpdateOperator = "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=";

/** A parsed filter. `at` is its place in the program, in UTF-16 code units. */
export type Filter =
  | { kind: "identity" }
  | { kind: "descend" }
  | { kind: "literal"; value: JqValue }
  | { kind: "text"; format: string | undefined; parts: (string | Filter)[]; at: number }
  | { kind: "format"; name: string; at: number }
  | { kind: "index"; target: Filter; key: Filter }
  | { kind: "slice"; target: Filter; from: Filter | undefined; to: Filter | undefined }
  | { kind: "iterate"; target: Filter }
  | { kind: "array"; items: Filter | undefined }
  | { kind: "object"; members: { key: Filter; value: Filter; at: number }[] }
  | { kind: "variable"; name: string; at: number }
  /** `core`: the builtin, whatever the program defines. */
  | { kind: "call"; name: string; args: Filter[]; at: number; core?: true }
  | { kind: "pipe"; left: Filter; right: Filter }
  | { kind: "comma"; left: Filter; right: Filter }
  | { kind: "binary"; operator: BinaryOperator; left: Filter; right: Filter }
  | Logic
  | { kind: "alternative"; left: Filter; right: Filter }
  /** `right` gets the input if `left` raises an error; the alternatives of `?//` are rewritten to it. */
  | { kind: "either"; left: Filter; right: Filter }
  | { kind: "update"; operator: UpdateOperator; target: Filter; value: Filter }
  | { kind: "negate"; operand: Filter }
  /** `selects`: the body is one step of a path, such as `.a?`, which takes no error of a path that is not tracked. */
  | { kind: "try"; body: Filter; handler: Filter | undefined; selects?: true }
  | { kind: "if"; test: Filter; passed: Filter; otherwise: Filter | undefined }
  | { kind: "bind"; source: Filter; patterns: Pattern[]; body: Filter }
  | { kind: "reduce"; source: Filter; patterns: Pattern[]; start: Filter; update: Filter }
  | {
      kind: "foreach";
      source: Filter;
      patterns: Pattern[];
      start: Filter;
      update: Filter;
      extract: Filter | undefined;
    }
  | { kind: "label"; name: string; body: Filter }
  | { kind: "break"; name: string; at: number }
  | { kind: "define"; definition: Definition; body: Filter };

export interface Logic {
  kind: "and" | "or";
  left: Filter;
  right: Filter;
}

/** `def name(params): body;`. A parameter with a $ is also a variable. */
export interface Definition {
  name: string;
  params: string[];
  body: Filter;
}

/** The pattern of `as`: a variable, the items of an array, or the members of an object. */
export type Pattern =
  | { kind: "name"; name: string }
  | { kind: "list"; items: Pattern[] }
  | { kind: "members"; members: { name: string | undefined; key: Filter; value: Pattern | undefined }[] };

/** The variables of patterns, each once. */
export function namesIn(patterns: readonly Pattern[]): string[] {
  const names = new Set<string>();
  const visit = (pattern: Pattern): void => {
    if (pattern.kind === "name") names.add(pattern.name);
    else if (pattern.kind === "list") pattern.items.forEach(visit);
    else
      for (const { name, value } of pattern.members) {
        if (name !== undefined) names.add(name);
        if (value !== undefined) visit(value);
      }
  };
  patterns.forEach(visit);
  return [...names];
}
