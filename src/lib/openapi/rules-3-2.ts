import { escapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { follow } from "./references.ts";
import { type ApiFinding, quote, type Walk } from "./walk.ts";

/** Fields that exclude one another, by the kind of object. */
const exclusive: Record<string, readonly [string, string][]> = {
  MediaType: [
    ["encoding", "prefixEncoding"],
    ["encoding", "itemEncoding"],
  ],
  Encoding: [
    ["encoding", "prefixEncoding"],
    ["encoding", "itemEncoding"],
  ],
  Example: [
    ["value", "dataValue"],
    ["value", "serializedValue"],
    ["externalValue", "serializedValue"],
  ],
};

const fixedMethods = /^(?:get|put|post|delete|options|head|patch|trace|query)$/i;

/** Checks the rules of OpenAPI 3.2 that the grammar cannot express and earlier versions do not have. */
export function checkVersion32(root: Value, walk: Walk): ApiFinding[] {
  const findings: ApiFinding[] = [];
  const report = (rule: string, pointer: string, message: string): void => {
    findings.push({ rule, severity: "error", pointer, message });
  };
  for (const { kind, value, pointer } of walk.places) {
    for (const [one, other] of exclusive[kind] ?? [])
      if (value.has(one) && value.has(other))
        report("exclusive-fields", pointer, `${one} and ${other} exclude one another.`);
    if (kind === "PathItem") checkMethods(value, pointer, report);
    if (kind === "PathItem" || kind === "Operation") checkQueryString(root, value, pointer, report);
    if (kind === "Document") checkTags(value, report);
  }
  return findings;
}

type Report = (rule: string, pointer: string, message: string) => void;

function checkMethods(item: Dictionary, pointer: string, report: Report): void {
  const others = item.get("additionalOperations");
  if (!isDictionary(others ?? null)) return;
  for (const method of (others as Dictionary).keys()) {
    if (fixedMethods.test(method))
      report(
        "additional-operation",
        `${pointer}/additionalOperations/${escapeToken(method)}`,
        `${quote(method)} has a field of its own; write the operation to ${method.toLowerCase()}.`,
      );
  }
}

/** At most one parameter is the whole query string, and then none is a part of it. */
function checkQueryString(root: Value, holder: Dictionary, pointer: string, report: Report): void {
  const list = holder.get("parameters");
  if (!isList(list ?? null)) return;
  const places = (list as Value[]).map((parameter) => follow(root, parameter)?.get("in"));
  const first = places.indexOf("querystring");
  if (first < 0) return;
  for (const [index, place] of places.entries()) {
    const here = `${pointer}/parameters/${index}`;
    if (place === "querystring" && index > first)
      report("querystring-parameter", here, "Only one parameter can be in querystring.");
    if (place === "query")
      report("querystring-parameter", here, "Parameters in query and in querystring exclude one another.");
  }
}

/** The parent of a tag must exist, and no tag may be its own ancestor. */
function checkTags(document: Dictionary, report: Report): void {
  const tags = document.get("tags");
  if (!isList(tags ?? null)) return;
  const parents = new Map<string, Value | undefined>();
  for (const tag of tags as Value[])
    if (isDictionary(tag)) parents.set(String(tag.get("name")), tag.get("parent"));
  // Each tag is visited once: a chain ends at one whose ancestors are known.
  const sound = new Set<string>();
  for (const [index, tag] of (tags as Value[]).entries()) {
    const parent = isDictionary(tag) ? tag.get("parent") : undefined;
    if (typeof parent !== "string") continue;
    const here = `/tags/${index}/parent`;
    if (!parents.has(parent)) {
      report("tag-parent", here, `The tag ${quote(parent)} does not exist.`);
      continue;
    }
    const chain = new Set<string>();
    let at: Value | undefined = (tag as Dictionary).get("name");
    while (typeof at === "string" && !sound.has(at) && !chain.has(at)) {
      chain.add(at);
      at = parents.get(at);
    }
    if (typeof at === "string" && chain.has(at)) {
      report("tag-parent", here, `The tag ${quote(at)} is its own ancestor.`);
      return;
    }
    for (const name of chain) sound.add(name);
  }
}
