import type { Extension } from "@codemirror/state";
import { createColours, jsonColours } from "../../editor/json-colours.ts";
import { languages } from "./languages.ts";

/** Returns the colours of a document of a language, or of JSON, which many tools take in its place. */
export function inputColours(language: string): Extension {
  const tokens = languages[language];
  const isOther = (head: string): boolean => !/^\s*[[{]/.test(head);
  return tokens === undefined ? jsonColours : [jsonColours, createColours(tokens, isOther)];
}
