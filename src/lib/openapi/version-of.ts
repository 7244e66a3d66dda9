import { type Dictionary, isDictionary, isLiteral, type Value } from "../data/value.ts";
import type { Version } from "./grammar.ts";
import type { ApiFinding } from "./walk.ts";

/** Returns the version that a document states, or why it is no description. */
export function versionOf(document: Value): Version | ApiFinding {
  const wrong = (message: string, pointer = ""): ApiFinding => ({
    rule: "version",
    severity: "error",
    pointer,
    message,
  });
  if (!isDictionary(document)) return wrong("An OpenAPI description must be an object.");
  const name = document.has("swagger") ? "swagger" : "openapi";
  const text = textOf(document, name);
  if (text === undefined)
    return wrong('The document must state its version: openapi: "3.2.0", or swagger: "2.0".');
  if (name === "swagger" && text === "2.0") return "2.0";
  const [, minor] = /^3\.([012])\.\d+(?:-.+)?$/.exec(text) ?? [];
  if (name === "openapi" && minor !== undefined) return `3.${minor as "0" | "1" | "2"}`;
  return wrong(
    `${name} ${JSON.stringify(text.slice(0, 40))} is not one of the versions 2.0, 3.0.x, 3.1.x and 3.2.x.`,
    `/${name}`,
  );
}

/** In YAML a version without quotes is a number; the walk reports that it must be a string. */
function textOf(document: Dictionary, name: string): string | undefined {
  const value = document.get(name);
  if (typeof value === "string") return value;
  return value !== undefined && isLiteral(value) ? value.text : undefined;
}
