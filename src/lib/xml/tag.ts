import { DocumentFault } from "../fault.ts";
import { endOfName, skipSpace } from "./chars.ts";
import { describeXml, fail, shorten } from "./fault.ts";
import type { LexHandler, XmlAttribute, XmlToken } from "./lex.ts";
import { readReference } from "./references.ts";

/** Reads a start tag or an empty element (productions 40 to 44). */
export function readTag(text: string, from: number, handler: LexHandler): XmlToken {
  let at = endOfName(text, from + 1);
  const name = text.slice(from + 1, at);
  if (name === "")
    fail(`Expected a name after '<'; found ${describeXml(text, at)}. Write a bare '<' as &lt;.`, from);
  const attributes: XmlAttribute[] = [];
  let names: Set<string> | undefined;
  for (;;) {
    const next = skipSpace(text, at);
    const unit = text.charCodeAt(next);
    if (unit === 0x3e) return { kind: "open", from, to: next + 1, name, attributes, empty: false };
    if (unit === 0x2f) {
      if (text.charCodeAt(next + 1) !== 0x3e) fail("Expected '>' after '/'.", next);
      return { kind: "open", from, to: next + 2, name, attributes, empty: true };
    }
    if (Number.isNaN(unit)) fail(`The tag <${shorten(name)} is not closed.`, from, "truncated");
    if (next === at) fail(`Expected a space, '>' or '/>' here; found ${describeXml(text, at)}.`, at);
    const attribute = readAttribute(text, next, handler);
    // A few attributes are compared one by one; many go into a set, so that a hostile tag is not quadratic.
    if (names === undefined && attributes.length >= 8) names = new Set(attributes.map((one) => one.name));
    if (
      names === undefined ? attributes.some((one) => one.name === attribute.name) : names.has(attribute.name)
    ) {
      report(handler, `The attribute ${shorten(attribute.name)} occurs twice.`, next, "duplicate-attribute");
    }
    names?.add(attribute.name);
    attributes.push(attribute);
    at = attribute.valueTo + 1;
  }
}

/** Reports a fault after which reading can continue. */
export function report(handler: LexHandler, message: string, index: number, rule: string): void {
  const fault = new DocumentFault(message, { index }, rule);
  if (handler.onFault === undefined) throw fault;
  handler.onFault(fault);
}

function readAttribute(text: string, from: number, handler: LexHandler): XmlAttribute {
  const end = endOfName(text, from);
  if (end === from) fail(`Expected an attribute, '>' or '/>'; found ${describeXml(text, from)}.`, from);
  const name = text.slice(from, end);
  const equals = skipSpace(text, end);
  if (text.charCodeAt(equals) !== 0x3d)
    fail(`Expected '=' after the attribute ${shorten(name)}; found ${describeXml(text, equals)}.`, equals);
  const valueFrom = skipSpace(text, equals + 1) + 1;
  const valueTo = endOfAttributeValue(text, valueFrom - 1, handler);
  return { name, from, valueFrom, valueTo };
}

/** Returns the index of the closing quote of the value (production 10) whose opening quote is at `at`. */
function endOfAttributeValue(text: string, at: number, handler: LexHandler): number {
  const quote = text[at];
  if (quote !== '"' && quote !== "'")
    fail(`The value of an attribute must be in quotes; found ${describeXml(text, at)}.`, at);
  const end = text.indexOf(quote, at + 1);
  if (end < 0) fail("The value of this attribute is not closed.", at, "truncated");
  checkAttributeValue(text.slice(at + 1, end), at + 1, handler);
  return end;
}

/** Checks a value by itself; `base` is its offset in the document. */
export function checkAttributeValue(value: string, base: number, handler: LexHandler): void {
  const less = value.indexOf("<");
  if (less >= 0) fail("'<' is not allowed in the value of an attribute; write &lt;.", base + less);
  for (let amp = value.indexOf("&"); amp >= 0;) {
    const { name, text: known, to } = readReferenceAt(value, amp, base);
    if (name !== undefined && known === undefined) handler.onReference?.(name, base + amp, true);
    amp = value.indexOf("&", to);
  }
}

/** Like `readReference`, but reports faults at their place in the document. */
function readReferenceAt(value: string, at: number, base: number): ReturnType<typeof readReference> {
  try {
    return readReference(value, at);
  } catch (error) {
    if (error instanceof DocumentFault) fail(error.message, base + (error.at.index ?? at), error.rule);
    throw error;
  }
}
