import { DocumentFault } from "../fault.ts";
import type { CST, Document, ParsedNode } from "yaml";
import { maxDepth } from "../data/value.ts";
import { load } from "../load.ts";

export type YamlLibrary = Awaited<ReturnType<typeof load<"yaml">>>;
export type YamlDocument = Document.Parsed<ParsedNode>;

export interface ParsedYaml {
  /** The tokens that the documents were composed from, in text order. */
  readonly tokens: readonly CST.Token[];
  readonly documents: readonly YamlDocument[];
  /** In text order. */
  readonly faults: readonly DocumentFault[];
}

/**
 * Parses a YAML stream to trees that keep the text of every scalar, and returns all faults.
 * @throws DocumentFault if the stream nests too deeply or contains a character that YAML forbids.
 */
export function parseYaml(yaml: YamlLibrary, text: string, version: "1.1" | "1.2" = "1.2"): ParsedYaml {
  const tokens = tokenize(yaml, text);
  const composer = new yaml.Composer({
    version,
    // The library treats every scalar as a string; we interpret its text.
    schema: "failsafe",
    resolveKnownTags: false,
    // Our own check reports both places, and does not compare each key with every other.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const documents = [...composer.compose(tokens, false, text.length)] as YamlDocument[];
  const faults = documents.flatMap(({ errors }) =>
    errors.map(
      ({ message, pos, code }) => new DocumentFault(sentence(message), { index: pos[0] }, toRule(code)),
    ),
  );
  return {
    tokens,
    documents: documents.filter((document) => !isNothing(yaml, document)),
    faults: [...faults, ...directiveFaults(tokens)].toSorted(byIndex),
  };
}

/**
 * Reads the tokens of a stream, which has no document yet.
 * @throws DocumentFault as parseYaml does.
 */
export function tokenize(yaml: YamlLibrary, text: string): CST.Token[] {
  checkCharacters(text);
  // The library counts a byte order mark as indentation. A line feed in its place moves nothing.
  const unmarked = text.startsWith("\ufeff") ? `\n${text.slice(1)}` : text;
  const tokens = [...new yaml.Parser().parse(unmarked)];
  checkDepth(tokens);
  return tokens;
}

export const loadYaml = async (): Promise<YamlLibrary> => load("yaml");

/**
 * Reports whether this is what the library makes of a `...` or of comments alone, which are not a document in
 * YAML.
 */
const isNothing = (yaml: YamlLibrary, { contents, directives }: YamlDocument): boolean =>
  directives.docStart !== true &&
  yaml.isScalar(contents) &&
  contents.type === "PLAIN" &&
  contents.source === "" &&
  contents.anchor === undefined &&
  contents.tag === undefined;

const byIndex = (a: DocumentFault, b: DocumentFault): number => (a.at.index ?? 0) - (b.at.index ?? 0);

/** Shortens a message of the library, which may quote names of any length from the document. */
function sentence(message: string): string {
  const short = message.length > 160 ? `${message.slice(0, 160)}…` : message;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

const toRule = (code: string): string => code.toLowerCase().replaceAll("_", "-");

/** YAML 1.2.2 §5.1, c-printable, which the library does not check. */
function checkCharacters(text: string): void {
  // eslint-disable-next-line no-control-regex
  let index = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/);
  if (index < 0 && !text.isWellFormed()) {
    const whole = text.toWellFormed();
    index = 0;
    while (text.charCodeAt(index) === whole.charCodeAt(index)) index++;
  }
  if (index < 0) return;
  const point = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0");
  throw new DocumentFault(
    `U+${point} is not allowed in a YAML document; write it as an escape in double quotes.`,
    { index },
    "bad-character",
  );
}

/** The library composes recursively; its parser does not, so the depth can be checked first. */
function checkDepth(tokens: readonly CST.Token[]): void {
  const open: [CST.Token | null | undefined, number][] = tokens.map((token) => [token, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next;
    if (token === null || token === undefined) continue;
    if (token.type === "document") open.push([token.value, depth]);
    if (!("items" in token)) continue;
    if (depth >= maxDepth) {
      throw new DocumentFault(
        `The document is nested more than ${maxDepth} levels deep.`,
        { index: token.offset },
        "too-deep",
      );
    }
    for (const item of token.items) {
      if ("key" in item) open.push([item.key, depth + 1]);
      if ("value" in item) open.push([item.value, depth + 1]);
    }
  }
}

/** YAML 1.2.2 §6.8.1: one %YAML per document; §9.1.1: directives belong to a document that must follow. */
function directiveFaults(tokens: readonly CST.Token[]): DocumentFault[] {
  const faults: DocumentFault[] = [];
  let pending: number | undefined;
  let versions = 0;
  for (const token of tokens) {
    if (token.type === "document") {
      pending = undefined;
      versions = 0;
    } else if (token.type === "directive") {
      pending ??= token.offset;
      if (token.source.startsWith("%YAML") && ++versions > 1) {
        faults.push(
          new DocumentFault(
            "A document can have only one %YAML directive.",
            { index: token.offset },
            "bad-directive",
          ),
        );
      }
    }
  }
  if (pending !== undefined) {
    faults.push(
      new DocumentFault(
        "A directive needs a document after it, begun by ---.",
        { index: pending },
        "bad-directive",
      ),
    );
  }
  return faults;
}
