import { createNamespaceCheck } from "../xml/namespaces.ts";
import { readDocument } from "../xml/document.ts";
import { fail, shorten } from "../xml/fault.ts";
import type { XmlAttribute, XmlToken } from "../xml/lex.ts";
import { attributeValueOf, cdataOf, textOf } from "../xml/text.ts";

export interface TreeOptions {
  /** Most elements in one another; 1,000 by default, because XPath functions walk a tree recursively. */
  maxDepth?: number;
  /** Called with the index of a DOCTYPE. */
  onDoctype?: (at: number) => void;
}

/** Numbers of kinds of nodes, as in the DOM. */
export const kinds = { element: 1, attribute: 2, text: 3, instruction: 7, comment: 8, document: 9 } as const;

/** A node of the XPath data model (XDM 3.1), with the names that fontoxpath reads. */
export interface XmlNode {
  readonly nodeType: number;
  /** As written, such as `x:a`; the target of an instruction. */
  readonly nodeName: string;
  readonly target: string;
  readonly localName: string;
  readonly prefix: string;
  readonly namespaceURI: string | null;
  readonly parentNode: XmlNode | null;
  /** The index in the children or attributes of the parent. */
  readonly index: number;
  readonly childNodes: XmlNode[];
  readonly attributes: XmlNode[];
  /** The text of a text node, comment or instruction, or the value of an attribute; "" for an element or document. */
  data: string;
  /** The range in the document, in UTF-16 code units, with all markup. */
  readonly from: number;
  to: number;
}

export interface XmlTree {
  readonly document: XmlNode;
  /** The namespaces of the prefixes that the root element declares. */
  readonly prefixes: ReadonlyMap<string, string>;
}

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/**
 * Reads a document with namespaces. Adjacent text and CDATA sections are one node. Default values of attributes in a DOCTYPE are
 * not added.
 * @throws DocumentFault if it is not well-formed, has an undeclared prefix, nests deeper than `maxDepth`, or uses an entity that it
 * declares
 */
export function readXmlTree(text: string, { maxDepth = 1000, onDoctype }: TreeOptions = {}): XmlTree {
  const check = createNamespaceCheck(text, (fault) => {
    throw fault;
  });
  const document = toNode(kinds.document, "", null, 0, 0, text.length);
  const scopes: ReadonlyMap<string, string>[] = [new Map([["xml", xmlNamespace]])];
  let prefixes = scopes[0] as ReadonlyMap<string, string>;
  let parent = document;

  const add = (kind: number, { name, from, to }: XmlToken, data: string): void => {
    if (parent === document && kind === kinds.text) return;
    const last = parent.childNodes.at(-1);
    if (kind === kinds.text && last?.nodeType === kind) {
      last.data += data;
      last.to = to;
    } else if (kind !== kinds.text || data !== "") {
      const node = toNode(kind, name, parent, parent.childNodes.length, from, to);
      node.data = data;
      parent.childNodes.push(node);
    }
  };

  const open = (token: XmlToken): void => {
    if (scopes.length > maxDepth)
      fail(`The document nests more than ${maxDepth} levels deep.`, token.from, "too-deep");
    const scope = scopeOf(text, token.attributes, scopes.at(-1) as ReadonlyMap<string, string>);
    const { from, to, name } = token;
    const element = toNode(kinds.element, name, parent, parent.childNodes.length, from, to, scope);
    for (const attribute of token.attributes) {
      if (/^xmlns(?::|$)/.test(attribute.name)) continue;
      const { length } = element.attributes;
      const end = attribute.valueTo + 1;
      const node = toNode(kinds.attribute, attribute.name, element, length, attribute.from, end, scope);
      node.data = attributeValueOf(text, attribute);
      element.attributes.push(node);
    }
    parent.childNodes.push(element);
    if (parent === document) prefixes = scope;
    if (token.empty) return;
    scopes.push(scope);
    parent = element;
  };

  readDocument(text, false, {
    onReference: (name, at) =>
      fail(
        `&${shorten(name)}; is an entity of the DOCTYPE, and entities are not expanded here; write its text instead.`,
        at,
        "entity",
      ),
    onToken(token) {
      check(token);
      const { kind, from, to, name } = token;
      if (kind === "open") open(token);
      else if (kind === "text") add(kinds.text, token, textOf(text, from, to));
      else if (kind === "cdata") add(kinds.text, token, cdataOf(text, from, to));
      else if (kind === "doctype") onDoctype?.(from);
      else if (kind === "comment") add(kinds.comment, token, text.slice(from + 4, to - 3));
      else if (kind === "instruction")
        add(kinds.instruction, token, text.slice(from + 2 + name.length, to - 2).trimStart());
      else if (kind === "close") {
        parent.to = to;
        scopes.pop();
        parent = parent.parentNode as XmlNode;
      }
    },
  });
  return { document, prefixes };
}

function scopeOf(
  text: string,
  attributes: readonly XmlAttribute[],
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  let scope: Map<string, string> | undefined;
  for (const attribute of attributes) {
    const [, prefix] = /^xmlns(?::(.*))?$/s.exec(attribute.name) ?? [undefined, null];
    if (prefix === null) continue;
    scope ??= new Map(outer);
    scope.set(prefix ?? "", attributeValueOf(text, attribute));
  }
  return scope ?? outer;
}

function toNode(
  nodeType: number,
  nodeName: string,
  parentNode: XmlNode | null,
  index: number,
  from: number,
  to: number,
  scope?: ReadonlyMap<string, string>,
): XmlNode {
  const colon = scope === undefined ? -1 : nodeName.indexOf(":");
  const prefix = colon < 0 ? "" : nodeName.slice(0, colon);
  // An attribute without a prefix has no namespace.
  const namespace = nodeType === kinds.attribute && prefix === "" ? "" : scope?.get(prefix);
  return {
    nodeType,
    nodeName,
    target: nodeName,
    localName: nodeName.slice(colon + 1),
    prefix,
    namespaceURI: namespace === undefined || namespace === "" ? null : namespace,
    parentNode,
    index,
    childNodes: [],
    attributes: [],
    data: "",
    from,
    to,
  };
}
