import { validateXml } from "../xml/validate.ts";
import type { Guess } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** Elements of HTML, with which a fragment of a page begins. */
const elements =
  /^<(?:html|head|body|div|span|p|a|ul|ol|li|table|tr|td|th|h[1-6]|section|article|nav|header|footer|main|form|input|button|select|option|textarea|label|img|br|hr|b|i|em|strong|code|pre|blockquote|iframe|video|audio|style|link|meta|title|template|details|figure|template)\b/i;

/** XML, HTML, and texts with references to characters. */
export function detectMarkup(sample: Sample): Guess[] {
  const { text } = sample;
  if (!/^<(?:[A-Za-z_?]|!(?:--|DOCTYPE))/i.test(text) || !/[^<]>/.test(text)) return [];
  const body = text.replace(/^(?:<!--[\s\S]{0,2000}?-->\s*)+/, "");
  if (/^<(?:script|link|style)\b/i.test(body)) return detectResource(body);
  if (/^<!DOCTYPE html|^<html\b/i.test(body) && !/xmlns=/.test(body.slice(0, 500)))
    return [html(0.93, "It is an HTML document.")];
  // Without a closing tag it may be an address in angle brackets.
  if (!/<\/[A-Za-z_]|\/>|^<\?xml/.test(text))
    return elements.test(body) ? [html(0.8, "It begins with an element of HTML.")] : [];
  const checked = cutAtLine(text, 32_768);
  const cut = !sample.whole || checked.length < text.length;
  const [fault] = validateXml(checked, false);
  const valid = fault === undefined || (cut && (fault.at.index ?? 0) >= checked.length - 2);
  if (elements.test(body) && !/^<[^>]*xmlns/.test(body))
    return [
      html(0.93, "It begins with an element of HTML."),
      ...(valid ? [xml(0.75, cut)] : [broken(0.8, fault.message)]),
    ];
  if (!valid && !(cut && /never closed|not closed|missing/i.test(fault.message)))
    return [broken(0.93, fault.message)];
  const schema = schemaLanguage(body);
  if (schema === undefined) return [xml(0.95, cut)];
  return [{ kind: "xml-schema", confidence: 0.95, reason: `It is a schema in ${schema}.` }];
}

/** Returns the language of a schema, by the namespace of its root element. */
function schemaLanguage(text: string): "XSD" | "RELAX NG" | undefined {
  const root =
    /^(?:(?:<\?[^>]{0,1000}\?>|<!--[\s\S]{0,2000}?-->)\s*){0,10}<(?:([\w.-]+):)?([\w.-]+)((?:\s[^>]{0,10000})?)>/.exec(
      text,
    );
  if (root === null) return undefined;
  const [, prefix, name, attributes = ""] = root;
  const declared = attributes.matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g);
  const namespace = declared.find(([, each]) => each === prefix)?.[2];
  if (namespace === "http://www.w3.org/2001/XMLSchema" && name === "schema") return "XSD";
  return namespace === "http://relaxng.org/ns/structure/1.0" ? "RELAX NG" : undefined;
}

const broken = (confidence: number, message: string): Guess => ({
  kind: "xml-broken",
  confidence,
  reason: `It looks like XML, with a fault: ${message}`,
});

const xml = (confidence: number, cut: boolean): Guess => ({
  kind: "xml",
  confidence,
  reason: cut ? "Its beginning is well-formed XML." : "It is well-formed XML.",
});

const html = (confidence: number, reason: string): Guess => ({ kind: "html", confidence, reason });

/** A script or style sheet of a page: with an address, it can have an integrity attribute. */
function detectResource(text: string): Guess[] {
  const outside = /^<(?:script|link)\b[^>]{0,2000}\b(?:src|href|integrity)\s*=/i.test(text);
  return outside
    ? [
        {
          kind: "html-resource",
          confidence: 0.95,
          reason: "It is a script or style sheet that a page loads.",
        },
      ]
    : [html(0.93, "It is markup with a script or a style sheet.")];
}

/** Names that are references without doubt; others may be parameters of a query. */
const reference = /&(?:[A-Za-z][A-Za-z\d]{1,30}|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g;

export function detectEntities({ text }: Sample): Guess[] {
  const head = text.slice(0, 16_384);
  const found = head.match(reference) ?? [];
  if (found.length === 0 || /^[<{[]/.test(text)) return [];
  const marks = found.filter((name) => /^&(?:lt|gt|amp|quot|apos|nbsp|#)/.test(name)).length;
  const decoded = Buffer.from(decodeCommon(head));
  const confidence = marks > 0 || found.length > 2 ? 0.93 : 0.85;
  return [{ kind: "html-entities", confidence, reason: `It has references such as ${found[0]}.`, decoded }];
}

const common: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Decodes what encoders write; the decoder itself knows every name. */
function decodeCommon(text: string): string {
  return text.replaceAll(reference, (whole) => {
    const name = whole.slice(1, -1);
    if (!name.startsWith("#")) return common[name] ?? whole;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
