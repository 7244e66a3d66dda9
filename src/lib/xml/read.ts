import { DocumentFault } from "../fault.ts";
import { inferValue } from "../data/infer.ts";
import { type Dictionary, maxDepth, type Value } from "../data/value.ts";
import { isBlank } from "./chars.ts";
import { readDocument } from "./document.ts";
import { fail, shorten } from "./fault.ts";
import type { XmlAttribute, XmlToken } from "./lex.ts";
import { attributeValueOf, cdataOf, textOf } from "./text.ts";

export interface XmlReadOptions {
  /** Precedes the name of an attribute in its key. */
  attributes: string;
  /** The key of the text of an element that also has attributes or children. */
  text: string;
  /**
   * `auto`: a list if an element occurs more than once; `always`: every element except the root is in a list.
   */
  arrays: "auto" | "always";
  types: "none" | "infer";
}

interface Frame {
  readonly name: string;
  readonly from: number;
  /** Attributes, children and text; most elements have only text, and no map. */
  members: Dictionary | undefined;
  readonly attributes: readonly XmlAttribute[];
  /** The members that are attributes; created when a key repeats. */
  attributeKeys: ReadonlySet<string> | undefined;
  /** The whole text of an element without children. */
  text: string;
  /** The pieces of `text` between children. */
  pieces: string[] | undefined;
  /** Whether `text` is only white space written as such: a reference or a CDATA section counts as content. */
  blank: boolean;
  children: boolean;
  /** Whether there are comments and instructions, beside which white space is layout. */
  others: boolean;
  readonly preserve: boolean;
}

/**
 * Returns the value of a document: `{ root: … }`, in which an element is its text, or a map of attributes,
 * text and children. Comments, instructions, the DOCTYPE and white space between elements are dropped.
 * @throws DocumentFault if it is not well-formed, nests too deeply, or uses an entity that it declares
 */
export function readXml(text: string, options: XmlReadOptions): Value {
  const document: Dictionary = new Map();
  const open: Frame[] = [];
  const toScalar = options.types === "infer" ? inferValue : (value: string): Value => value;

  const addText = (value: string, blank: boolean): void => {
    const frame = open.at(-1);
    if (frame === undefined) return;
    frame.text += value;
    frame.blank &&= blank;
  };

  const close = (frame: Frame): void => {
    const value = toElement(frame, options, toScalar);
    const outer = open.at(-1);
    if (outer === undefined) document.set(frame.name, value);
    else addMember(outer, frame, value, options);
  };

  readDocument(text, false, {
    onReference: (name, at) =>
      fail(
        `&${shorten(name)}; is an entity of the DOCTYPE, and entities are not expanded here; write its text instead.`,
        at,
        "entity",
      ),
    onToken(token) {
      if (token.kind === "text")
        addText(textOf(text, token.from, token.to), isBlank(text, token.from, token.to));
      else if (token.kind === "cdata") addText(cdataOf(text, token.from, token.to), false);
      else if (token.kind === "open") {
        if (open.length >= maxDepth - 1)
          fail(`The document is nested more than ${maxDepth - 1} levels deep.`, token.from, "too-deep");
        const outer = open.at(-1);
        if (outer !== undefined) endPiece(outer, options);
        const frame = toFrame(text, token, outer?.preserve ?? false, options, toScalar);
        if (token.empty) close(frame);
        else open.push(frame);
      } else if (token.kind === "close") close(open.pop() as Frame);
      else {
        const frame = open.at(-1);
        if (frame !== undefined) frame.others = true;
      }
    },
  });
  return document;
}

function toFrame(
  text: string,
  { name, from, attributes }: XmlToken,
  preserve: boolean,
  options: XmlReadOptions,
  toScalar: (text: string) => Value,
): Frame {
  let members: Dictionary | undefined;
  let space: XmlAttribute | undefined;
  for (const attribute of attributes) {
    members ??= new Map();
    members.set(options.attributes + attribute.name, toScalar(attributeValueOf(text, attribute)));
    if (attribute.name === "xml:space") space ??= attribute;
  }
  return {
    name,
    from,
    members,
    attributes,
    attributeKeys: undefined,
    text: "",
    pieces: undefined,
    blank: true,
    children: false,
    others: false,
    preserve: space === undefined ? preserve : attributeValueOf(text, space) === "preserve",
  };
}

/** A child follows: the text before it becomes a piece of its own. */
function endPiece(frame: Frame, { text: key }: XmlReadOptions): void {
  frame.children = true;
  const piece = frame.text;
  const layout = frame.blank && !frame.preserve;
  frame.text = "";
  frame.blank = true;
  if (piece === "" || layout) return;
  // The key takes its place at the first piece; its value is known only at the end.
  if (frame.pieces === undefined) setText(frame, key, "");
  frame.pieces ??= [];
  frame.pieces.push(piece);
}

function setText(frame: Frame, key: string, value: Value): void {
  frame.members ??= new Map();
  if (frame.pieces === undefined && frame.members.has(key)) throw collision(frame, key);
  frame.members.set(key, value);
}

function toElement(frame: Frame, options: XmlReadOptions, toScalar: (text: string) => Value): Value {
  if (frame.others && frame.blank && !frame.preserve) frame.text = "";
  if (!frame.children && frame.members === undefined) return toScalar(frame.text);
  if (frame.children) {
    endPiece(frame, options);
    const pieces = frame.pieces?.map(toScalar);
    if (pieces !== undefined)
      frame.members?.set(options.text, pieces.length === 1 ? (pieces[0] as Value) : pieces);
  } else if (frame.text !== "") setText(frame, options.text, toScalar(frame.text));
  return frame.members as Dictionary;
}

function addMember(outer: Frame, { name, from }: Frame, value: Value, options: XmlReadOptions): void {
  const members = (outer.members ??= new Map<string, Value>());
  const known = members.get(name);
  if (known === undefined) {
    members.set(name, options.arrays === "always" ? [value] : value);
    return;
  }
  outer.attributeKeys ??= new Set(outer.attributes.map((one) => options.attributes + one.name));
  if (outer.attributeKeys.has(name) || (name === options.text && outer.pieces !== undefined))
    throw collision({ from }, name);
  if (Array.isArray(known)) known.push(value);
  else members.set(name, [known, value]);
}

const collision = ({ from }: { from: number }, key: string): DocumentFault =>
  new DocumentFault(
    `${shorten(key)} is the key of two values here; choose another prefix for attributes or another key for text.`,
    { index: from },
    "collision",
  );
