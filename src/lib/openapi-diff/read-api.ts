import { isList } from "../data/value.ts";
import { childOf, isTrueAt, itemsOf, membersOf, objectAt, type Place, type Side, textAt } from "./places.ts";

/** A description, read into what its versions have in common. */
export interface Api {
  side: Side;
  /** The path items, by their paths with the names of parameters left out. */
  paths: Map<string, Path>;
  webhooks: Map<string, Path>;
  security: Place | undefined;
  schemes: Map<string, Place>;
  schemas: Map<string, Place>;
  /** The URLs of the servers. */
  servers: Map<string, Place>;
}

export interface Path {
  /** As it is written. */
  name: string;
  pointer: string;
  operations: Map<string, Operation>;
}

export interface Operation {
  method: string;
  place: Place;
  /** By place and name; those in the path by their position. */
  parameters: Map<string, Parameter>;
  parametersPointer: string;
  body: Body | undefined;
  /** By status. */
  responses: Map<string, Response>;
  responsesPointer: string;
  security: Place | undefined;
  callbacks: Map<string, Path>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  place: Place;
  /** How the value is written: style, explode and the like. */
  style: string;
  schema: Place[];
  /** Of a parameter that is a document, by media type. */
  content: Map<string, Media> | undefined;
}

export interface Media {
  pointer: string;
  schema: Place[];
}

export interface Body {
  pointer: string;
  required: boolean;
  content: Map<string, Media>;
}

export interface Response {
  pointer: string;
  headers: Map<string, Parameter>;
  content: Map<string, Media>;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

export function readApi(side: Side): Api {
  const root: Place = { value: side.root, pointer: "" };
  const components = childOf(root, "components");
  const isOld = side.version === "2.0";
  const at = (old: string, now: string): Place | undefined =>
    isOld ? childOf(root, old) : childOf(components, now);
  const paths = new Map<string, Path>();
  for (const [name, place] of membersOf(childOf(root, "paths")))
    if (name.startsWith("/")) paths.set(name.replaceAll(/\{[^{}]*\}/g, "{}"), readPath(side, name, place));
  return {
    side,
    paths,
    webhooks: new Map(
      membersOf(childOf(root, "webhooks")).map(([name, place]) => [name, readPath(side, name, place)]),
    ),
    security: childOf(root, "security"),
    schemes: new Map(membersOf(at("securityDefinitions", "securitySchemes"))),
    schemas: new Map(membersOf(at("definitions", "schemas"))),
    servers: readServers(root, isOld),
  };
}

function readServers(root: Place, isOld: boolean): Map<string, Place> {
  if (isOld) {
    const host = textAt(root, "host") ?? "";
    const place = childOf(root, "basePath") ?? childOf(root, "host");
    return place === undefined ? new Map() : new Map([[`${host}${textAt(root, "basePath") ?? ""}`, place]]);
  }
  const servers = itemsOf(childOf(root, "servers"));
  return new Map(
    servers.flatMap((server): [string, Place][] => {
      const url = textAt(server, "url");
      return url === undefined ? [] : [[url.replace(/(?<=.)\/$/, ""), childOf(server, "url") as Place]];
    }),
  );
}

/** @param inCallback A callback of a callback is not read: it may refer to itself. */
function readPath(side: Side, name: string, place: Place, inCallback = false): Path {
  const item = objectAt(side, place) ?? place;
  const operations = new Map<string, Operation>();
  const additional = membersOf(childOf(item, "additionalOperations"));
  for (const [method, operation] of [
    ...membersOf(item).filter(([key]) => methods.includes(key)),
    ...additional,
  ])
    operations.set(method.toUpperCase(), readOperation(side, name, item, operation, method, inCallback));
  return { name, pointer: place.pointer, operations };
}

function readOperation(
  side: Side,
  path: string,
  item: Place,
  place: Place,
  method: string,
  inCallback: boolean,
): Operation {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const all = [...itemsOf(childOf(item, "parameters")), ...itemsOf(childOf(place, "parameters"))];
  const parameters = new Map<string, Parameter>();
  let body = side.version === "2.0" ? undefined : readBody(side, childOf(place, "requestBody"));
  for (const one of all) {
    const parameter = objectAt(side, one);
    if (parameter === undefined) continue;
    const name = textAt(parameter, "name") ?? "";
    const where = textAt(parameter, "in") ?? "";
    if (where === "body") {
      const types = mediaTypes(side, place, "consumes");
      body = {
        pointer: parameter.pointer,
        required: isTrueAt(parameter, "required"),
        content: toContent(types, parameter),
      };
      continue;
    }
    const position = where === "path" ? names.indexOf(name) : -1;
    // The names of headers have no case.
    const key = where === "header" ? name.toLowerCase() : name;
    parameters.set(
      position < 0 ? `${where} ${key}` : `path #${position}`,
      readParameter(side, parameter, name, where),
    );
  }
  const responses = childOf(place, "responses");
  return {
    method: method.toUpperCase(),
    place,
    parameters,
    parametersPointer: childOf(place, "parameters")?.pointer ?? place.pointer,
    body,
    responses: new Map(
      membersOf(responses)
        .filter(([status]) => !status.startsWith("x-"))
        .map(([status, response]) => [status.toUpperCase(), readResponse(side, place, response)]),
    ),
    responsesPointer: responses?.pointer ?? place.pointer,
    security: childOf(place, "security"),
    callbacks: inCallback ? new Map() : readCallbacks(side, place),
  };
}

/** A callback has path items by expressions. */
function readCallbacks(side: Side, operation: Place): Map<string, Path> {
  const found = new Map<string, Path>();
  for (const [name, callback] of membersOf(childOf(operation, "callbacks")))
    for (const [expression, item] of membersOf(objectAt(side, callback)))
      if (!expression.startsWith("x-"))
        found.set(`${name} ${expression}`, readPath(side, expression, item, true));
  return found;
}

function readParameter(side: Side, parameter: Place, name: string, where: string): Parameter {
  const content = childOf(parameter, "content");
  // In 2.0 the parameter is its own schema.
  const schema = side.version === "2.0" ? parameter : childOf(parameter, "schema");
  return {
    name,
    in: where,
    required: isTrueAt(parameter, "required"),
    place: parameter,
    style: styleOf(parameter, where),
    schema: schema === undefined ? [] : [schema],
    content: content === undefined ? undefined : readContent(content),
  };
}

/** How a parameter is written, with defaults filled in. */
function styleOf(parameter: Place, where: string): string {
  const style = textAt(parameter, "style") ?? (where === "query" || where === "cookie" ? "form" : "simple");
  const collection = textAt(parameter, "collectionFormat");
  if (collection !== undefined) return collection === "multi" ? "form exploded" : `form ${collection}`;
  const explode = childOf(parameter, "explode")?.value ?? style === "form";
  // Only lists and objects are written in different ways.
  const type = textAt(childOf(parameter, "schema") ?? parameter, "type");
  const isPlain = type !== undefined && type !== "array" && type !== "object";
  const reserved = isTrueAt(parameter, "allowReserved") ? " reserved" : "";
  return isPlain && style !== "matrix" && style !== "label"
    ? `plain${reserved}`
    : `${style}${explode === true ? " exploded" : ""}${reserved}`;
}

function readBody(side: Side, place: Place | undefined): Body | undefined {
  const body = objectAt(side, place);
  if (body === undefined) return undefined;
  const content = childOf(body, "content");
  return {
    pointer: body.pointer,
    required: isTrueAt(body, "required"),
    content: content === undefined ? new Map() : readContent(content),
  };
}

function readContent(content: Place): Map<string, Media> {
  return new Map(
    membersOf(content).map(([type, media]) => {
      const schema = childOf(media, "schema");
      return [normalizeType(type), { pointer: media.pointer, schema: schema === undefined ? [] : [schema] }];
    }),
  );
}

const normalizeType = (type: string): string => type.toLowerCase().replaceAll(/\s*;\s*/g, ";");

function readResponse(side: Side, operation: Place, place: Place): Response {
  const response = objectAt(side, place) ?? place;
  const headers = new Map<string, Parameter>();
  for (const [name, one] of membersOf(childOf(response, "headers"))) {
    const header = objectAt(side, one);
    if (header !== undefined) headers.set(name.toLowerCase(), readParameter(side, header, name, "header"));
  }
  const content = childOf(response, "content");
  return {
    pointer: response.pointer,
    headers,
    content:
      side.version === "2.0"
        ? childOf(response, "schema") === undefined
          ? new Map()
          : toContent(mediaTypes(side, operation, "produces"), response)
        : content === undefined
          ? new Map()
          : readContent(content),
  };
}

/** The media types of 2.0, which an operation has or takes from the document. */
function mediaTypes(side: Side, operation: Place, name: "consumes" | "produces"): Place[] {
  const own = childOf(operation, name) ?? childOf({ value: side.root, pointer: "" }, name);
  return own !== undefined && isList(own.value) ? itemsOf(own) : [];
}

function toContent(types: readonly Place[], holder: Place): Map<string, Media> {
  const schema = childOf(holder, "schema");
  const media = { pointer: holder.pointer, schema: schema === undefined ? [] : [schema] };
  const names = types.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  return new Map(
    (names.length > 0 ? names : ["application/json"]).map((name) => [normalizeType(name), media]),
  );
}
