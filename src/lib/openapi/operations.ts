import { escapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { hasJsonSchemas, type Version } from "./grammar.ts";
import { follow } from "./references.ts";
import { type ApiFinding, quote, type Walk } from "./walk.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Checks the rules about paths, operations and parameters that the grammar cannot express. */
export function checkOperations(root: Value, walk: Walk, version: Version): ApiFinding[] {
  const findings: ApiFinding[] = [];
  const report = (rule: string, pointer: string, message: string): void => {
    findings.push({ rule, severity: "error", pointer, message });
  };
  const operationIds = new Map<string, string>();
  for (const { kind, value, pointer } of walk.places) {
    if (kind === "Paths") checkPaths(root, value, pointer, report);
    if (kind === "Operation") {
      const id = value.get("operationId");
      const first = typeof id === "string" ? operationIds.get(id) : undefined;
      if (first !== undefined)
        report(
          "operation-id-unique",
          `${pointer}/operationId`,
          `The operationId ${quote(id as string)} is already used at ${first}.`,
        );
      else if (typeof id === "string") operationIds.set(id, pointer);
    }
    if (kind === "Operation" || kind === "PathItem") checkParameters(root, value, pointer, version, report);
    if (kind === "Parameter") checkParameter(value, pointer, version, report);
    if (kind === "Server") checkServer(value, pointer, report);
    if (kind === "SecurityRequirement") checkSecurity(root, value, pointer, version, report);
    if (kind === "Document") checkDocument(value, version, report);
  }
  return findings;
}

type Report = (rule: string, pointer: string, message: string) => void;

function checkDocument(document: Dictionary, version: Version, report: Report): void {
  if (hasJsonSchemas(version) && !["paths", "components", "webhooks"].some((name) => document.has(name)))
    report("required", "", "The document must have paths, components or webhooks.");
  const names = new Set<string>();
  for (const [index, tag] of listOf(document.get("tags")).entries()) {
    const name = isDictionary(tag) ? tag.get("name") : undefined;
    if (typeof name !== "string") continue;
    if (names.has(name)) report("tag-unique", `/tags/${index}/name`, `The tag ${quote(name)} occurs twice.`);
    names.add(name);
  }
}

function checkPaths(root: Value, paths: Dictionary, pointer: string, report: Report): void {
  const shapes = new Map<string, string>();
  for (const [path, item] of paths) {
    if (!path.startsWith("/")) continue;
    const here = `${pointer}/${escapeToken(path)}`;
    const shape = path.replace(/\{[^}]*\}/g, "{}");
    const twin = shapes.get(shape);
    if (twin !== undefined)
      report("path-unique", here, `The paths ${quote(twin)} and ${quote(path)} are the same.`);
    shapes.set(shape, path);
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name as string);
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined)
      report("path-parameter", here, `{${twice}} occurs twice in the path ${quote(path)}.`);
    const target = follow(root, item);
    if (target !== undefined) checkTemplate(root, path, names, target, here, report);
  }
}

/** Checks that each name in the path is a parameter of each operation, and vice versa. */
function checkTemplate(
  root: Value,
  path: string,
  names: readonly string[],
  item: Dictionary,
  pointer: string,
  report: Report,
): void {
  const shared = parametersOf(root, item);
  for (const [method, operation] of operationsOf(item)) {
    const own = parametersOf(root, operation);
    const given = new Set(
      [...shared, ...own].filter((one) => one.get("in") === "path").map((one) => one.get("name")),
    );
    for (const name of names) {
      if (!given.has(name))
        report(
          "path-parameter",
          `${pointer}/${method}`,
          `{${name}} in the path ${quote(path)} is not a path parameter of this operation.`,
        );
    }
    for (const name of given) {
      if (typeof name === "string" && !names.includes(name))
        report(
          "path-parameter",
          `${pointer}/${method}`,
          `The path parameter ${quote(name)} is not in the path ${quote(path)}.`,
        );
    }
  }
}

/** The operations of a path item, by their pointers below it. */
function operationsOf(item: Dictionary): [string, Dictionary][] {
  const others = item.get("additionalOperations");
  const entries = [
    ...methods.map((method): [string, Value | undefined] => [method, item.get(method)]),
    ...Array.from(
      isDictionary(others ?? null) ? (others as Dictionary) : [],
      ([method, one]): [string, Value] => [`additionalOperations/${escapeToken(method)}`, one],
    ),
  ];
  return entries.filter((entry): entry is [string, Dictionary] => isDictionary(entry[1] ?? null));
}

const parametersOf = (root: Value, holder: Dictionary): Dictionary[] =>
  listOf(holder.get("parameters")).flatMap((parameter) => follow(root, parameter) ?? []);

function checkParameters(
  root: Value,
  holder: Dictionary,
  pointer: string,
  version: Version,
  report: Report,
): void {
  const seen = new Set<string>();
  const places = new Set<Value>();
  for (const [index, entry] of listOf(holder.get("parameters")).entries()) {
    const parameter = follow(root, entry);
    if (parameter === undefined) continue;
    const here = `${pointer}/parameters/${index}`;
    const place = parameter.get("in") ?? null;
    const name = parameter.get("name");
    const key = JSON.stringify([place, name]);
    if (seen.has(key))
      report(
        "parameter-unique",
        here,
        `The parameter ${quote(String(name))} in ${String(place)} occurs twice.`,
      );
    seen.add(key);
    if (version === "2.0" && place === "body" && places.has("body"))
      report("body-parameter", here, "An operation can have at most one body parameter.");
    if (
      version === "2.0" &&
      ((place === "body" && places.has("formData")) || (place === "formData" && places.has("body")))
    )
      report("body-parameter", here, "Parameters in body and in formData exclude one another.");
    places.add(place);
  }
}

function checkParameter(parameter: Dictionary, pointer: string, version: Version, report: Report): void {
  const place = parameter.get("in");
  if (place === "path" && parameter.get("required") !== true)
    report("path-parameter", pointer, "A path parameter must have required: true.");
  if (version === "2.0") {
    if (place === "body" && !parameter.has("schema"))
      report("required", pointer, "A body parameter must have schema.");
    if (place !== "body" && !parameter.has("type"))
      report("required", pointer, "A parameter that is not in body must have type.");
    if (parameter.get("type") === "file" && place !== "formData")
      report("body-parameter", pointer, "A file must be in formData.");
    if (parameter.get("type") === "array" && !parameter.has("items"))
      report("required", pointer, "A parameter of type array must have items.");
    return;
  }
  const content = parameter.get("content");
  if (place === "querystring") {
    if (!parameter.has("content") || parameter.has("schema"))
      report("required", pointer, "A parameter in querystring must have content, and no schema.");
  } else if (parameter.has("schema") === parameter.has("content"))
    report("required", pointer, "A parameter must have schema or content, and not both.");
  if (isDictionary(content ?? null) && (content as Dictionary).size !== 1)
    report("required", `${pointer}/content`, "The content of a parameter must have exactly one media type.");
  if (parameter.has("example") && parameter.has("examples"))
    report("example", pointer, "example and examples exclude one another.");
}

function checkServer(server: Dictionary, pointer: string, report: Report): void {
  const url = server.get("url");
  const variables = server.get("variables");
  if (typeof url === "string") {
    for (const [, name] of url.matchAll(/\{([^{}]*)\}/g)) {
      if (!isDictionary(variables ?? null) || !(variables as Dictionary).has(name as string))
        report("server-variable", `${pointer}/url`, `{${name}} in the URL is not among the variables.`);
    }
  }
  if (!isDictionary(variables ?? null)) return;
  for (const [name, variable] of variables as Dictionary) {
    const values = isDictionary(variable) ? variable.get("enum") : undefined;
    if (
      isDictionary(variable) &&
      isList(values ?? null) &&
      !(values as Value[]).includes(variable.get("default") ?? null)
    )
      report(
        "server-variable",
        `${pointer}/variables/${escapeToken(name)}/default`,
        "The default must be one of enum.",
      );
  }
}

function checkSecurity(
  root: Value,
  requirement: Dictionary,
  pointer: string,
  version: Version,
  report: Report,
): void {
  const holder = version === "2.0" ? root : isDictionary(root) ? root.get("components") : undefined;
  const schemes = isDictionary(holder ?? null)
    ? (holder as Dictionary).get(version === "2.0" ? "securityDefinitions" : "securitySchemes")
    : undefined;
  for (const name of requirement.keys()) {
    if (isDictionary(schemes ?? null) && (schemes as Dictionary).has(name)) continue;
    // From 3.2 on it may be the URI of a scheme in another document.
    if (version === "3.2" && /[#/:]/.test(name)) continue;
    report(
      "security-defined",
      `${pointer}/${escapeToken(name)}`,
      `The security scheme ${quote(name)} is not defined.`,
    );
  }
}

const listOf = (value: Value | undefined): Value[] => (isList(value ?? null) ? (value as Value[]) : []);
