import { OptionFault } from "../fault.ts";

const functions = "http://www.w3.org/2005/xpath-functions";

/** The prefixes of functions that XPath 3.1 predeclares (F&O 3.1, §1.3). */
const predeclared: ReadonlyMap<string, string> = new Map([
  ["", functions],
  ["fn", functions],
  ["math", `${functions}/math`],
  ["map", `${functions}/map`],
  ["array", `${functions}/array`],
  ["xs", "http://www.w3.org/2001/XMLSchema"],
]);

/** Functions of the library's own, which may wait. */
const ofLibrary = "http://fontoxml.com/fontoxpath";

const reading = "A query reads the document only";
const repeatable = "A query has the same result each time";

/** Functions that are refused, with the reason. */
const refused: ReadonlyMap<string, string> = new Map([
  ...[
    "doc doc-available collection uri-collection unparsed-text unparsed-text-lines unparsed-text-available json-doc",
    "environment-variable available-environment-variables load-xquery-module transform put",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name, reading] as const),
  ...["current-dateTime", "current-date", "current-time", "random-number-generator"].map(
    (name) => [name, repeatable] as const,
  ),
  // Finds the others by names that are known only during the evaluation.
  ["function-lookup", "Functions are named in the query"],
]);

/** Returns the full name of a function. @throws OptionFault for one that is refused */
export function resolveFunction(
  prefix: string,
  localName: string,
  findNamespace: (prefix: string) => string | null,
): { namespaceURI: string; localName: string } {
  const given = prefix === "" ? null : findNamespace(prefix);
  const namespaceURI = given ?? predeclared.get(prefix);
  if (namespaceURI === undefined)
    throw new OptionFault(`The prefix ${prefix} is not known; set its namespace in namespaces`);
  const fault = faultOf(namespaceURI, localName);
  if (fault !== undefined) throw fault;
  return { namespaceURI, localName };
}

/** Returns why a query is refused that calls a function by its full name, such as `Q{uri}doc()`, which needs no resolving. */
export function refusedName(query: string): OptionFault | undefined {
  for (const { 1: uri = "", 2: name = "", index } of query.matchAll(/Q\{([^{}]*)\}([\w-]+)\s*[(#]/g)) {
    const fault = faultOf(uri.trim(), name, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(namespace: string, name: string, index?: number): OptionFault | undefined {
  if (namespace === ofLibrary)
    return new OptionFault(`Functions of ${ofLibrary} are not available`, { index });
  const reason = namespace === functions ? refused.get(name) : undefined;
  return reason === undefined ? undefined : new OptionFault(`${reason}: ${name} is not available`, { index });
}
