import { DocumentFault } from "../fault.ts";
import type { CST, Pair, Scalar, YAMLMap } from "yaml";
import { compareCodePoints } from "../json/code-point-order.ts";
import type { YamlDocument, YamlLibrary } from "./parse.ts";

/**
 * - `indent`: all levels are indented by the same number of spaces.
 * - `truthy`: no plain scalar that is a boolean in YAML 1.1 and a string in YAML 1.2 (yes, no, on, off, y,
 * n).
 * - `tabs`: no tab outside of scalars and comments.
 * - `key-order`: the keys of each map are sorted by code point.
 */
export type YamlRule = "indent" | "truthy" | "tabs" | "key-order";

export function lintYaml(
  yaml: YamlLibrary,
  text: string,
  documents: readonly YamlDocument[],
  rules: readonly YamlRule[],
): DocumentFault[] {
  return [
    ...(rules.includes("indent") ? findIndents(yaml, text) : []),
    ...(rules.includes("tabs") ? findTabs(yaml, text) : []),
    ...documents.flatMap((document) => [
      ...(rules.includes("truthy") ? findTruthy(yaml, document) : []),
      ...(rules.includes("key-order") ? findUnordered(yaml, document) : []),
    ]),
  ];
}

function findTruthy(yaml: YamlLibrary, document: YamlDocument): DocumentFault[] {
  const found: DocumentFault[] = [];
  yaml.visit(document, {
    Scalar(_, { type, value, range }: Scalar) {
      if (type !== "PLAIN" || !/^(?:y|n|yes|no|on|off)$/i.test(String(value))) return;
      found.push(
        new DocumentFault(
          `${String(value)} is a boolean in YAML 1.1 and a string in YAML 1.2; put it in quotes, or write true or false.`,
          { index: range?.[0] ?? 0 },
          "truthy",
        ),
      );
    },
  });
  return found;
}

function findUnordered(yaml: YamlLibrary, document: YamlDocument): DocumentFault[] {
  const found: DocumentFault[] = [];
  yaml.visit(document, {
    Map(_, { items }: YAMLMap) {
      const keys = (items as Pair[]).map(({ key }) => (yaml.isScalar(key) ? key : undefined));
      for (const [index, key] of keys.entries()) {
        const before = keys[index - 1];
        if (key === undefined || before === undefined) continue;
        if (compareCodePoints(String(before.value), String(key.value)) <= 0) continue;
        const name = JSON.stringify(String(key.value).slice(0, 40));
        found.push(
          new DocumentFault(
            `The key ${name} must come before the previous key.`,
            { index: key.range?.[0] ?? 0 },
            "key-order",
          ),
        );
        return;
      }
    },
  });
  return found;
}

/** The library's space tokens lie between scalars, never in them. */
function findTabs(yaml: YamlLibrary, text: string): DocumentFault[] {
  const found: DocumentFault[] = [];
  let at = 0;
  for (const source of new yaml.Lexer().lex(text)) {
    const type = yaml.CST.tokenType(source);
    // The lexer marks documents and flow with tokens that are not in the text.
    if (type === "doc-mode" || type === "flow-error-end" || type === "scalar") continue;
    const tab = type === "space" || type === "newline" ? source.indexOf("\t") : -1;
    if (tab >= 0)
      found.push(new DocumentFault("Tabs are not allowed here; use spaces.", { index: at + tab }, "tabs"));
    at += source.length;
  }
  return found;
}

function findIndents(yaml: YamlLibrary, text: string): DocumentFault[] {
  const found: DocumentFault[] = [];
  let step = 0;
  const open: [CST.Token | null | undefined, number][] = [];
  for (const token of new yaml.Parser().parse(text))
    if (token.type === "document") open.push([token.value, 0]);
  open.reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, outer] = next;
    if (token === null || token === undefined || !("items" in token) || token.type === "flow-collection")
      continue;
    const by = token.indent - outer;
    const own = startsLine(text, token.offset);
    if (own && by > 0) {
      step ||= by;
      if (by !== step) {
        found.push(
          new DocumentFault(
            `This level is indented by ${by} spaces, others by ${step}.`,
            { index: token.offset },
            "indent",
          ),
        );
      }
    }
    const inner = token.items.flatMap((item) => [item.key, item.value]);
    for (const child of inner.toReversed()) open.push([child, token.indent]);
  }
  return found;
}

const startsLine = (text: string, index: number): boolean =>
  /^[ ]*$/.test(text.slice(text.lastIndexOf("\n", index - 1) + 1, index));
