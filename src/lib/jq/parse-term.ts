import { OptionFault } from "../fault.ts";
import { spellNumber } from "./json-parts.ts";
import type { Token } from "./lex.ts";
import { createControlParser } from "./parse-control.ts";
import { createObjectParser } from "./parse-object.ts";
import type { PatternParser } from "./parse-pattern.ts";
import type { Parser } from "./parse.ts";
import type { Filter } from "./syntax.ts";
import { numberFrom } from "./value.ts";

const keywords = new Set(
  "and or if then elif else end as def reduce foreach try catch label import include module __loc__".split(
    " ",
  ),
);

const identity: Filter = { kind: "identity" };
const partOf = (name: string): Filter => ({ kind: "variable", name, at: 0 });

/** A `?` after a step of a path is about this step alone: neither what it is taken from nor the key may fail. */
function tryStep(step: Filter): Filter {
  if (step.kind !== "index" && step.kind !== "slice" && step.kind !== "iterate") return step;
  const bound: [string, Filter][] = [];
  const simple = <Key extends Filter | undefined>(key: Key, name: string): Key | Filter => {
    if (key === undefined || key.kind === "literal" || key.kind === "variable") return key;
    bound.push([name, key]);
    return partOf(name);
  };
  // No name of a program has a space.
  const body: Filter =
    step.kind === "index"
      ? { kind: "index", target: identity, key: simple(step.key, "the key") }
      : step.kind === "slice"
        ? {
            kind: "slice",
            target: identity,
            from: simple(step.from, "the start"),
            to: simple(step.to, "the end"),
          }
        : { kind: "iterate", target: identity };
  const tried: Filter = { kind: "try", body, handler: undefined, selects: true };
  const whole: Filter =
    step.target.kind === "identity" ? tried : { kind: "pipe", left: step.target, right: tried };
  return bound.reduceRight<Filter>(
    (inner, [name, source]) => ({ kind: "bind", source, patterns: [{ kind: "name", name }], body: inner }),
    whole,
  );
}

export interface TermParser {
  /** Parses a term with what follows it: fields, indices, `?`. */
  postfix(): Filter;
}

/** Parses terms: literals, paths, calls, constructions, `if`, `reduce`, `try`. */
export function createTermParser(parser: Parser, patterns: PatternParser): TermParser {
  const { peek, take, accept, expect, fail } = parser;
  const control = createControlParser(parser, patterns, postfix);
  const variable = (token: Token): Filter => toVariable(token, parser);
  const object = createObjectParser(parser, variable);

  function postfix(): Filter {
    const { kind, text } = peek();
    let term = start();
    let selects = kind === "field" || (text === "." && term.kind === "index");
    for (let count = 0; ; count++) {
      const token = peek();
      if (count > 1000) throw new OptionFault("The path is too long", { index: token.at });
      if (token.kind === "field") {
        take();
        term = { kind: "index", target: term, key: { kind: "literal", value: token.text } };
      } else if (token.kind !== "symbol") return term;
      else if (token.text === "?") {
        take();
        term = selects ? tryStep(term) : { kind: "try", body: term, handler: undefined };
        selects = false;
        continue;
      } else if (token.text === "[") term = bracket(term);
      else if (token.text === "." && peek(1).kind === "string") {
        take();
        term = { kind: "index", target: term, key: parser.text(take(), undefined) };
      } else if (token.text === "." && peek(1).kind === "symbol" && peek(1).text === "[") {
        take();
        term = bracket(term);
      } else return term;
      selects = true;
    }
  }

  function bracket(target: Filter): Filter {
    const token = expect("[");
    return parser.nest(token, () => {
      if (accept("]")) return { kind: "iterate", target };
      if (accept(":")) {
        const to = parser.pipe();
        expect("]");
        return { kind: "slice", target, from: undefined, to };
      }
      const key = parser.pipe();
      if (accept(":")) {
        const to = peek().kind === "symbol" && peek().text === "]" ? undefined : parser.pipe();
        expect("]");
        return { kind: "slice", target, from: key, to };
      }
      expect("]");
      return { kind: "index", target, key };
    });
  }

  function start(): Filter {
    const token = take();
    switch (token.kind) {
      case "number":
        return { kind: "literal", value: numberFrom(spellNumber(token.text) ?? token.text) };
      case "string":
        return parser.text(token, undefined);
      case "format":
        if (peek().kind === "string") return parser.text(take(), token.text);
        return { kind: "format", name: token.text, at: token.at };
      case "field":
        return {
          kind: "index",
          target: { kind: "identity" },
          key: { kind: "literal", value: token.text },
        };
      case "variable":
        return variable(token);
      case "word":
        return word(token);
      case "symbol":
        return symbol(token);
      default:
        return fail(token, "a filter");
    }
  }

  function symbol(token: Token): Filter {
    switch (token.text) {
      case ".":
        if (peek().kind === "string")
          return { kind: "index", target: { kind: "identity" }, key: parser.text(take(), undefined) };
        return { kind: "identity" };
      case "..":
        return { kind: "descend" };
      case "(": {
        const inner = parser.pipe();
        expect(")");
        return inner;
      }
      case "[": {
        if (accept("]")) return { kind: "array", items: undefined };
        const items = parser.pipe();
        expect("]");
        return { kind: "array", items };
      }
      case "{":
        return parser.nest(token, object);
      case "-":
        return { kind: "negate", operand: parser.nest(token, postfix) };
      default:
        return fail(token, "a filter");
    }
  }

  function word(token: Token): Filter {
    switch (token.text) {
      case "if":
      case "try":
      case "reduce":
      case "foreach":
      case "break":
        return control(token);
      case "def":
      case "label": {
        // Only in places where jq wants a term.
        return fail(token, "a filter; put parentheses around it");
      }
      case "null":
      case "true":
      case "false":
        return { kind: "literal", value: token.text === "null" ? null : token.text === "true" };
      default:
        if (keywords.has(token.text)) return fail(token, "a filter");
        if (token.text.includes("::"))
          throw new OptionFault("Modules are not supported, so no name contains ::", { index: token.at });
        return call(token);
    }
  }

  function call({ text: name, at }: Token): Filter {
    const args: Filter[] = [];
    if (accept("(")) {
      do args.push(parser.pipe());
      while (accept(";"));
      expect(")");
    }
    return { kind: "call", name, args, at };
  }

  return { postfix };
}

function toVariable(token: Token, parser: Parser): Filter {
  const { text: name, at } = token;
  if (name === "__loc__") {
    // A call has one program, which has no lines before its first.
    const place = new Map<string, string | number>([
      ["file", "<top-level>"],
      ["line", parser.lineOf(token)],
    ]);
    return { kind: "literal", value: place };
  }
  if (name.includes("::"))
    throw new OptionFault("Modules are not supported, so no name contains ::", { index: at });
  return { kind: "variable", name, at };
}
