import { fail, shorten } from "../xml/fault.ts";
import { xmlNamespace, xmlNamespaceSchema } from "./xml-namespace.ts";
import { kinds, readXmlTree, type XmlNode } from "../xpath/tree.ts";

/** A schema that refers to no other document, but perhaps to the built-in one of the namespace of `xml:lang`. */
export interface XmlSchema {
  readonly language: "xsd" | "relaxng";
  /** The text that is passed to libxml2. */
  readonly text: string;
  /** All elements, in the order of the document. */
  readonly elements: readonly XmlNode[];
}

/** Most elements in one another: libxml2 reads patterns, and validates by them, recursively. */
const maxDepth = 250;

const languages: ReadonlyMap<string | null, XmlSchema["language"]> = new Map([
  ["http://www.w3.org/2001/XMLSchema", "xsd"],
  ["http://relaxng.org/ns/structure/1.0", "relaxng"],
]);

/** By language, the elements that stand for another document. */
const references: Readonly<Record<XmlSchema["language"], ReadonlySet<string>>> = {
  xsd: new Set(["include", "import", "redefine", "override"]),
  relaxng: new Set(["include", "externalRef"]),
};

const inclusions: ReadonlySet<string | null> = new Set([
  "http://www.w3.org/2001/XInclude",
  "http://www.w3.org/2003/XInclude",
]);

/**
 * Reads a schema and finds its language by its root element: XSD 1.0, or RELAX NG in XML syntax.
 * @throws DocumentFault if it is neither, if it is not well-formed, or if it refers to another document
 */
export function readXmlSchema(text: string): XmlSchema {
  if (/^\uFEFF?\s*[^\s<]/.test(text))
    fail("This is not XML. Convert a RELAX NG schema in compact syntax to XML syntax.", 0, "schema-language");
  const elements = readElements(text);
  const root = elements[0] as XmlNode;
  const language = languages.get(root.namespaceURI);
  if (language === undefined || (language === "xsd" && root.localName !== "schema"))
    fail(
      `<${shorten(root.nodeName)}> is the root of neither an XSD (xs:schema in the namespace http://www.w3.org/2001/XMLSchema) nor a RELAX NG schema (namespace http://relaxng.org/ns/structure/1.0).`,
      root.from,
      "schema-language",
    );
  const imports: XmlNode[] = [];
  for (const element of elements) {
    const { namespaceURI, localName, nodeName, from } = element;
    if (languages.get(namespaceURI) !== language || !references[language].has(localName)) continue;
    if (language === "xsd" && localName === "import" && valueOf(element, "namespace") === xmlNamespace)
      imports.push(element);
    else
      fail(
        `<${shorten(nodeName)}> refers to another document, and none is fetched; write its declarations here instead.`,
        from,
        "include",
      );
  }
  return { language, text: withLocation(text, imports), elements };
}

const valueOf = ({ attributes }: XmlNode, name: string): string | undefined =>
  attributes.find(({ nodeName }) => nodeName === name)?.data;

/** Has each import load the built-in schema. Lines and the order of elements, by which faults are found, stay as they are. */
function withLocation(text: string, imports: readonly XmlNode[]): string {
  const name = "schemaLocation";
  const parts: string[] = [];
  let at = 0;
  for (const { attributes, from, nodeName } of imports) {
    const given = attributes.find((attribute) => attribute.nodeName === name);
    const place = given?.from ?? from + 1 + nodeName.length;
    parts.push(text.slice(at, place), `${given === undefined ? " " : ""}${name}="${xmlNamespaceSchema}"`);
    at = given?.to ?? place;
  }
  return parts.join("") + text.slice(at);
}

/**
 * Reads the elements of a document, in its order.
 * @throws DocumentFault if it is not well-formed, nests deeper than 250 levels, or has a DOCTYPE or an XInclude
 */
export function readElements(text: string): XmlNode[] {
  const { document } = readXmlTree(text, {
    maxDepth,
    onDoctype: (at) =>
      fail(
        "A DOCTYPE is not accepted together with a schema, because its entities and defaults would not be applied; remove it.",
        at,
        "doctype",
      ),
  });
  const elements: XmlNode[] = [];
  const left = [document];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.nodeType === kinds.element) elements.push(node);
    for (let at = node.childNodes.length - 1; at >= 0; at--) left.push(node.childNodes[at] as XmlNode);
  }
  const inclusion = elements.find((one) => inclusions.has(one.namespaceURI) && one.localName === "include");
  if (inclusion !== undefined)
    fail(
      `<${shorten(inclusion.nodeName)}> includes another document, and none is fetched; write its content here instead.`,
      inclusion.from,
      "include",
    );
  return elements;
}
