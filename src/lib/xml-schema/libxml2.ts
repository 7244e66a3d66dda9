import { OptionFault } from "../fault.ts";
import { load } from "../load.ts";
import type { XmlSchema } from "./read.ts";
import { xmlNamespaceSchema, xmlNamespaceText } from "./xml-namespace.ts";

/** A message of libxml2 about a document. */
export interface Complaint {
  message: string;
  code: number;
  /** The place of its element among the elements of the document, from 0, if it has one. */
  element: number | undefined;
  /** From 1; 0 if unknown. */
  line: number;
}

type Library = Awaited<ReturnType<Awaited<ReturnType<typeof load<"libxml2-wasm">>>["default"]>>;
type Document = "schema" | "data";
type Found = Omit<Complaint, "element"> & { about: Document; node: number };

/** Most complaints kept; a hostile document has one every few bytes. */
const maxComplaints = 100;

/** XML_SCHEMAV_INTERNAL, for a pattern beyond the limits of libxml2. */
const internalError = 1818;

/** xmlErrorLevel: warnings are below. */
const isError = 2;

/**
 * Options of xmlCtxtReadMemory: nothing is fetched, the text is UTF-8 whatever it declares, lines have no limit, and texts and
 * names only that of the whole document. Without a DOCTYPE the last opens no way to attack.
 */
const options = (1 << 11) | (1 << 23) | (1 << 21) | (1 << 22) | (1 << 19);

/** Offsets in xmlError and xmlNode, for pointers of four bytes. */
const error = { code: 4, message: 8, level: 12, line: 20, node: 48 };
const offsets = { type: 4, children: 12, parent: 20, next: 24 };
/** XML_ELEMENT_NODE of xmlElementType. */
const elementType = 1;

/**
 * Validates a document by a schema, both well-formed and without a DOCTYPE. Each call has an instance of its own: one that has
 * trapped would answer wrongly ever after, and all that a call has allocated goes with its memory.
 * @returns complaints about the schema, or else about the document
 * @throws OptionFault if the library has no stack or memory left, or gives up
 */
export async function runLibxml2(
  language: XmlSchema["language"],
  schema: string,
  data: string,
): Promise<Record<Document, Complaint[]>> {
  const { default: create } = await load("libxml2-wasm");
  const library = await create();
  try {
    return validate(library, language, schema, data);
  } catch (thrown) {
    // A RangeError is V8's stack; the traps of WebAssembly are its own stack and the end of its memory.
    if (thrown instanceof RangeError || (thrown instanceof Error && thrown.name === "RuntimeError"))
      throw new OptionFault(
        "Validation by this schema takes more stack or memory than there is. Shorten its chains of references, or the document.",
      );
    throw thrown;
  }
}

function validate(
  library: Library,
  language: XmlSchema["language"],
  schema: string,
  data: string,
): Record<Document, Complaint[]> {
  library._xmlInitParser();
  // xsi:schemaLocation has a schema loaded, and the file system of the library has devices.
  library._xmlCleanupInputCallbacks();
  serveXmlNamespace(library);
  const found: Found[] = [];
  let about: Document = "schema";
  const read = (at: number): number => library.getValue(at, "i32");
  const handler = library.addFunction((_: number, at: number) => {
    if (read(at + error.level) < isError || found.length >= maxComplaints) return;
    const message = library.UTF8ToString(library.getValue(at + error.message, "*"));
    const [code, line, node] = [read(at + error.code), read(at + error.line), read(at + error.node) >>> 0];
    found.push({ about, message, code, line, node });
  }, "vii");
  const complain = (message: string): number => found.push({ about, message, code: 0, line: 0, node: 0 });

  const documents: Record<Document, number> = { schema: 0, data: 0 };
  const finish = (): Record<Document, Complaint[]> => ({
    schema: locate(
      library,
      documents.schema,
      found.filter((one) => one.about === "schema"),
    ),
    data: locate(
      library,
      documents.data,
      found.filter((one) => one.about === "data"),
    ),
  });
  const steps = stepsOf(library, language);

  documents.schema = parse(library, schema, handler);
  if (documents.schema === 0) {
    if (found.length === 0) complain("libxml2 cannot read the schema.");
    return finish();
  }
  const parser = steps.newParser(documents.schema);
  steps.reportParser(parser, handler, 0);
  const compiled = steps.compile(parser);
  if (compiled === 0 && found.length === 0) complain("libxml2 cannot use the schema.");
  if (found.length > 0) return finish();

  library._xmlCleanupInputCallbacks();
  about = "data";
  documents.data = parse(library, data, handler);
  const validator = steps.newValidator(compiled);
  steps.reportValidator(validator, handler, 0);
  const status = documents.data === 0 ? -1 : steps.validate(validator, documents.data);
  if (documents.data !== 0 && (status < 0 || found.some(({ code }) => code === internalError)))
    throw new OptionFault(
      "libxml2 gives up on this schema: a pattern or a content model of it is too complex.",
    );
  if (status !== 0 && found.length === 0) complain("libxml2 cannot validate the document.");
  return finish();
}

/** Has libxml2 read the built-in schema of the namespace of `xml:lang`, and no other document. */
function serveXmlNamespace(library: Library): void {
  const bytes = new TextEncoder().encode(xmlNamespaceText);
  let at = 0;
  const matches = (name: number): number => Number(library.UTF8ToString(name) === xmlNamespaceSchema);
  const open = (): number => {
    at = 0;
    return 1;
  };
  const read = (_: number, to: number, length: number): number => {
    const piece = bytes.subarray(at, at + length);
    library.HEAPU8.set(piece, to);
    at += piece.length;
    return piece.length;
  };
  library._xmlRegisterInputCallbacks(
    library.addFunction(matches, "ii"),
    library.addFunction(open, "ii"),
    library.addFunction(read, "iiii"),
    library.addFunction(() => 0, "ii"),
  );
}

/** Returns the functions of a language of schemas, which have the same parameters. */
const stepsOf = (library: Library, language: XmlSchema["language"]) =>
  language === "xsd"
    ? {
        newParser: library._xmlSchemaNewDocParserCtxt,
        reportParser: library._xmlSchemaSetParserStructuredErrors,
        compile: library._xmlSchemaParse,
        newValidator: library._xmlSchemaNewValidCtxt,
        reportValidator: library._xmlSchemaSetValidStructuredErrors,
        validate: library._xmlSchemaValidateDoc,
      }
    : {
        newParser: library._xmlRelaxNGNewDocParserCtxt,
        reportParser: library._xmlRelaxNGSetParserStructuredErrors,
        compile: library._xmlRelaxNGParse,
        newValidator: library._xmlRelaxNGNewValidCtxt,
        reportValidator: library._xmlRelaxNGSetValidStructuredErrors,
        validate: library._xmlRelaxNGValidateDoc,
      };

/** Returns a pointer to the document; 0 if libxml2 refuses it. */
function parse(library: Library, text: string, handler: number): number {
  const bytes = new TextEncoder().encode(text);
  const at = library._malloc(bytes.length + 1);
  if (at === 0) throw new RangeError("No memory for the text");
  library.HEAPU8.set(bytes, at);
  library.HEAPU8[at + bytes.length] = 0;
  const context = library._xmlNewParserCtxt();
  library._xmlCtxtSetErrorHandler(context, handler, 0);
  const document = library._xmlCtxtReadMemory(context, at, bytes.length, 0, 0, options);
  // The text is as large as the document: the tree takes its memory.
  library._xmlFreeParserCtxt(context);
  library._free(at);
  return document;
}

/** Finds the places of nodes in one walk. Nodes of another tree, such as libxml2's copy of a RELAX NG schema, have none. */
function locate(library: Library, document: number, found: readonly Found[]): Complaint[] {
  const read = (node: number, offset: number): number => (library.HEAP32[(node + offset) >>> 2] ?? 0) >>> 0;
  const isElement = (node: number): boolean => read(node, offsets.type) === elementType;
  const elementOf = (node: number): number =>
    node === 0 || isElement(node) ? node : read(node, offsets.parent);
  const places = new Map<number, number | undefined>(found.map(({ node }) => [elementOf(node), undefined]));
  const root = found.length === 0 || document === 0 ? 0 : library._xmlDocGetRootElement(document) >>> 0;
  let count = 0;
  for (let node = root; node !== 0;) {
    if (isElement(node)) {
      if (places.has(node)) places.set(node, count);
      count++;
    }
    let next = isElement(node) ? read(node, offsets.children) : 0;
    while (next === 0 && node !== root) {
      next = read(node, offsets.next);
      if (next === 0) node = read(node, offsets.parent);
    }
    node = next;
  }
  return found.map(({ message, code, line, node }) => ({
    message,
    code,
    line,
    element: places.get(elementOf(node)),
  }));
}
