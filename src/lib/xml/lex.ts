import type { DocumentFault } from "../fault.ts";
import { endOfName, isBlank, isSpaceUnit, skipSpace } from "./chars.ts";
import { describeXml, fail, shorten } from "./fault.ts";
import { readReference } from "./references.ts";
import { readTag } from "./tag.ts";

export interface XmlAttribute {
  readonly name: string;
  readonly from: number;
  /** Range of the value, without its quotes. */
  readonly valueFrom: number;
  readonly valueTo: number;
}

/** `from` and `to` cover the whole token in UTF-16 code units, including markup. */
export interface XmlToken {
  readonly kind: "declaration" | "doctype" | "open" | "close" | "text" | "cdata" | "comment" | "instruction";
  readonly from: number;
  readonly to: number;
  /** Name of the element, or target of an instruction; otherwise "". */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  /** Whether it is `<a/>`, which no end tag follows. */
  readonly empty: boolean;
}

export interface LexHandler {
  onToken?(token: XmlToken): void;
  /** An entity that is not predefined; `at` is the index of its `&`. */
  onReference?(name: string, at: number, inAttribute: boolean): void;
  /** Called for faults after which reading can continue; without it, they are thrown. */
  onFault?(fault: DocumentFault): void;
  /** Reads a DOCTYPE from its `<` and returns the index after its `>`. Without it, a DOCTYPE is refused. */
  doctype?(at: number): number;
}

const none: readonly XmlAttribute[] = [];

/**
 * Reads the content of a document from `from` on. With `fragment` it accepts production 43, any number of
 * elements and text beside them; otherwise one element, with only comments, instructions and space around it.
 * @throws DocumentFault
 */
export function lexContent(text: string, from: number, fragment: boolean, handler: LexHandler): void {
  const open: { name: string; at: number }[] = [];
  let roots = 0;
  let doctypes = 0;
  let at = from;
  // Each is searched again only after it was passed, which keeps the whole linear.
  let ampersand = text.indexOf("&", at);
  let sectionEnd = text.indexOf("]]>", at);
  const emit = (kind: XmlToken["kind"], to: number, name = ""): void => {
    handler.onToken?.({ kind, from: at, to, name, attributes: none, empty: false });
    at = to;
  };

  while (at < text.length) {
    if (text.charCodeAt(at) !== 0x3c) {
      const next = text.indexOf("<", at);
      const to = next < 0 ? text.length : next;
      if (!fragment && open.length === 0 && !isBlank(text, at, to))
        refuseStray(text, skipSpace(text, at), roots);
      if (sectionEnd >= 0 && sectionEnd < at) sectionEnd = text.indexOf("]]>", at);
      if (ampersand >= 0 && ampersand < at) ampersand = text.indexOf("&", at);
      const end = sectionEnd >= 0 && sectionEnd < to ? sectionEnd : to;
      while (ampersand >= 0 && ampersand < end) {
        const { name, text: known, to: behind } = readReference(text, ampersand);
        if (name !== undefined && known === undefined) handler.onReference?.(name, ampersand, false);
        ampersand = text.indexOf("&", behind);
      }
      if (end < to) fail("']]>' is not allowed in text; write its '>' as &gt;.", end);
      emit("text", to);
      continue;
    }
    const unit = text.charCodeAt(at + 1);
    if (unit === 0x2f) {
      const end = endOfName(text, at + 2);
      const opened = open.pop();
      const expected = opened?.name ?? "";
      const same = end - at - 2 === expected.length && text.startsWith(expected, at + 2);
      const name = same ? expected : text.slice(at + 2, end);
      if (opened === undefined) fail(`</${shorten(name)}> closes nothing: no element is open.`, at, "tags");
      if (!same) fail(`Expected </${shorten(opened.name)}>; found </${shorten(name)}>.`, at, "tags");
      const to = skipSpace(text, end);
      if (text.charCodeAt(to) !== 0x3e) fail(`Expected '>' here; found ${describeXml(text, to)}.`, to);
      emit("close", to + 1, name);
    } else if (unit === 0x21) {
      if (text.startsWith("<!--", at)) emit("comment", endOfComment(text, at));
      else if (text.startsWith("<![CDATA[", at)) {
        if (open.length === 0 && !fragment) refuseStray(text, at, roots);
        const end = text.indexOf("]]>", at + 9);
        if (end < 0) fail("This CDATA section is not closed; it ends with ']]>'.", at, "truncated");
        emit("cdata", end + 3);
      } else if (text.startsWith("<!DOCTYPE", at) && handler.doctype !== undefined) {
        if (open.length > 0 || roots > 0) fail("A DOCTYPE must come before the first element.", at);
        if (doctypes++ > 0) fail("A document can have only one DOCTYPE; this is the second.", at);
        emit("doctype", handler.doctype(at));
      } else fail("Expected a comment, a CDATA section or a DOCTYPE after '<!'.", at);
    } else if (unit === 0x3f) {
      const { name, to } = readInstruction(text, at);
      emit("instruction", to, name);
    } else {
      if (open.length === 0 && ++roots > 1 && !fragment)
        fail("A document can have only one root element; this is the second.", at);
      const token = readTag(text, at, handler);
      if (!token.empty) open.push({ name: token.name, at });
      at = token.to;
      handler.onToken?.(token);
    }
  }
  const opened = open.at(-1);
  if (opened !== undefined) fail(`<${shorten(opened.name)}> is not closed.`, opened.at, "truncated");
  if (roots === 0 && !fragment) fail("The document has no root element.", at, "truncated");
}

function refuseStray(text: string, at: number, roots: number): never {
  fail(
    roots === 0
      ? `Expected '<' before the root element; found ${describeXml(text, at)}.`
      : `Only comments and instructions may follow the root element; found ${describeXml(text, at)}.`,
    at,
  );
}

/** Production 15: a comment cannot contain `--`, so `--->` does not end one. */
export function endOfComment(text: string, at: number): number {
  const dashes = text.indexOf("--", at + 4);
  if (dashes < 0) fail("This comment is not closed; it ends with '-->'.", at, "truncated");
  if (text.charCodeAt(dashes + 2) !== 0x3e) fail("'--' is not allowed inside a comment.", dashes);
  return dashes + 3;
}

/** Productions 16 and 17. */
export function readInstruction(text: string, at: number): { name: string; to: number } {
  const end = endOfName(text, at + 2);
  const name = text.slice(at + 2, end);
  if (name === "") fail("A processing instruction needs a name right after '<?'.", at);
  if (/^xml$/i.test(name))
    fail("<?xml … ?> is allowed only at the very beginning of the document.", at, "declaration");
  const close = text.indexOf("?>", end);
  if (close < 0) fail("This processing instruction is not closed; it ends with '?>'.", at, "truncated");
  if (close > end && !isSpaceUnit(text.charCodeAt(end)))
    fail(`Expected a space after the name; found ${describeXml(text, end)}.`, end);
  return { name, to: close + 2 };
}
