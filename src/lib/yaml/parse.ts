import { DocumentFault } from "../fault.ts";
import type { CST, Document, ParsedNode } from "yaml";
import { maxDepth } from "../data/value.ts";
import { load } from "../load.ts";

export type YamlLibrary = Awaited<ReturnType<typeof load<"yaml">>>;
export type YamlDocument = Document.Parsed<ParsedNode>;

export interface ParsedYaml {
  readonly documents: readonly YamlDocument[];
  /** In the order of the text. */
  readonly faults: readonly DocumentFault[];
}

/**
 * The documents of a YAML stream as trees in which every scalar still is as it is written, and all that is wrong with them.
 * @throws DocumentFault where the stream is nested too deep or holds what is no character of YAML.
 */
export function parseYaml(yaml: YamlLibrary, text: string, version: "1.1" | "1.2" = "1.2"): ParsedYaml {
  checkCharacters(text);
  const tokens = [...new yaml.Parser().parse(text)];
  checkDepth(tokens);
  const composer = new yaml.Composer({
    version,
    // All is a string to the library: what a scalar stands for is for us to say, from its text.
    schema: "failsafe",
    resolveKnownTags: false,
    // Ours tells both places, and does not compare each key with every other.
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
    documents: documents.filter((document) => !isNothing(yaml, document)),
    faults: [...faults, ...directiveFaults(tokens)].toSorted(byIndex),
  };
}

export const loadYaml = async (): Promise<YamlLibrary> => load("yaml");

/** What the library makes of a `...` or of comments alone, where YAML has no document. */
const isNothing = (yaml: YamlLibrary, { contents, directives }: YamlDocument): boolean =>
  directives.docStart !== true &&
  yaml.isScalar(contents) &&
  contents.type === "PLAIN" &&
  contents.source === "" &&
  contents.anchor === undefined &&
  contents.tag === undefined;

const byIndex = (a: DocumentFault, b: DocumentFault): number => (a.at.index ?? 0) - (b.at.index ?? 0);

/** The library puts names of the document into its messages, however long they are. */
function sentence(message: string): string {
  const short = message.length > 160 ? `${message.slice(0, 160)}…` : message;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

const toRule = (code: string): string => code.toLowerCase().replaceAll("_", "-");

/** YAML 1.2.2 §5.1, c-printable, which the library does not look at. */
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
    `U+${point} cannot stand in a YAML document; write it as an escape in double quotes.`,
    { index },
    "bad-character",
  );
}

/** The library composes recursively; its parser does not, so that the depth can be seen before. */
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

/** YAML 1.2.2 §6.8.1: one %YAML a document; §9.1.1: directives belong to a document, which has to follow. */
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
            "A document has one %YAML directive only.",
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
