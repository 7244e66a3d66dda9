import { DocumentFault } from "../fault.ts";
import type { XmlNode } from "../xpath/tree.ts";
import { type Complaint, runLibxml2 } from "./libxml2.ts";
import { readElements, type XmlSchema } from "./read.ts";

/** Longest message; those of libxml2 contain values and lists of names. */
const maxMessage = 500;

/**
 * Returns where a well-formed document violates a schema: at most 100 faults. A document that cannot be validated, because it
 * nests too deeply or has a DOCTYPE or an XInclude, has one fault that says so.
 * @throws DocumentFault if the schema is at fault, with the place in its text
 * @throws OptionFault if the schema takes more stack or memory than there is, or is too complex for libxml2
 */
export async function validateBySchema(text: string, schema: XmlSchema): Promise<DocumentFault[]> {
  let elements: XmlNode[];
  try {
    elements = readElements(text);
  } catch (error) {
    if (error instanceof DocumentFault) return [error];
    throw error;
  }
  const found = await runLibxml2(schema.language, schema.text, text);
  const [fault] = found.schema;
  if (fault !== undefined) throw toFault(fault, schema.text, schema.elements, "schema");
  return found.data.map((one) => toFault(one, text, elements, ruleOf(schema.language, one.code)));
}

function toFault(
  complaint: Complaint,
  text: string,
  elements: readonly XmlNode[],
  rule: string,
): DocumentFault {
  const { message, element, line } = complaint;
  const node = element === undefined ? undefined : elements[element];
  const index = (attributeIn(message, node) ?? node)?.from;
  const words = message.trim().replaceAll(/\s+/g, " ");
  const sentence =
    words.length > maxMessage
      ? `${words.slice(0, maxMessage).toWellFormed()}…`
      : words.replace(/[^.!?]$/, "$&.");
  return new DocumentFault(sentence, { index: index ?? indexOfLine(text, line) }, rule);
}

/** Returns the attribute that a message is about: libxml2 names its element as the place. */
function attributeIn(message: string, element: XmlNode | undefined): XmlNode | undefined {
  const [, namespace, local, name] =
    /^Element '[^']*', attribute '(?:\{([^']*)\})?([^'}]+)': |^Invalid attribute (\S+) for element /.exec(
      message,
    ) ?? [];
  if (local === undefined && name === undefined) return undefined;
  return element?.attributes.find(
    (one) =>
      one.localName === (local ?? name) && (name !== undefined || one.namespaceURI === (namespace ?? null)),
  );
}

/** Returns the index of the first character of a line that is no space; lines count from 1. */
function indexOfLine(text: string, line: number): number {
  let at = 0;
  for (let left = line; left > 1; left--) {
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    at = end + 1;
  }
  while (/[ \t\r]/.test(text.charAt(at))) at++;
  return at;
}

/** Returns the stable name of what a code of libxml2 says about a document. */
const ruleOf = (language: XmlSchema["language"], code: number): string =>
  (language === "xsd" ? constraints[code - firstConstraint] : patterns[code - firstPattern]) ?? "invalid";

/** XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1. */
const firstConstraint = 1824;

/** The validation rules of XSD 1.0 (Structures, Appendix C), in the order of xmlParserErrors in libxml/xmlerror.h. */
const constraints =
  `cvc-datatype-valid-1-2-1 cvc-datatype-valid-1-2-2 cvc-datatype-valid-1-2-3 cvc-type-3-1-1 cvc-type-3-1-2
cvc-facet-valid cvc-length-valid cvc-min-length-valid cvc-max-length-valid cvc-min-inclusive-valid cvc-max-inclusive-valid
cvc-min-exclusive-valid cvc-max-exclusive-valid cvc-total-digits-valid cvc-fraction-digits-valid cvc-pattern-valid
cvc-enumeration-valid cvc-complex-type-2-1 cvc-complex-type-2-2 cvc-complex-type-2-3 cvc-complex-type-2-4 cvc-elt-1 cvc-elt-2
cvc-elt-3-1 cvc-elt-3-2-1 cvc-elt-3-2-2 cvc-elt-4-1 cvc-elt-4-2 cvc-elt-4-3 cvc-elt-5-1-1 cvc-elt-5-1-2 cvc-elt-5-2-1
cvc-elt-5-2-2-1 cvc-elt-5-2-2-2-1 cvc-elt-5-2-2-2-2 cvc-elt-6 cvc-elt-7 cvc-attribute-1 cvc-attribute-2 cvc-attribute-3
cvc-attribute-4 cvc-complex-type-3-1 cvc-complex-type-3-2-1 cvc-complex-type-3-2-2 cvc-complex-type-4 cvc-complex-type-5-1
cvc-complex-type-5-2 element-content document-element-missing cvc-complex-type-1 cvc-au cvc-type-1 cvc-type-2
cvc-identity-constraint cvc-wildcard misc`.split(/\s/);

/** XML_RELAXNG_ERR_TYPE. */
const firstPattern = 2;

/** In the order of xmlRelaxNGValidErr in libxml/relaxng.h. */
const patterns =
  `type type-value duplicate-id type-comparison no-state no-define list-extra list-empty interleave-no-data
interleave-sequence interleave-extra element-name attribute-name element-no-namespace attribute-no-namespace
element-wrong-namespace attribute-wrong-namespace element-extra-namespace attribute-extra-namespace element-not-empty
no-element not-an-element attribute-invalid content-invalid extra-content attribute-not-allowed data-with-elements
value-with-elements list-with-elements datatype value list no-grammar extra-data lacks-data internal element-not-allowed
text-not-allowed`.split(/\s/);
