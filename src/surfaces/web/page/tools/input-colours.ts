import type { Extension } from "@codemirror/state";
import type { Definition } from "./definition.ts";

/** Languages of a document by the words in what a tool accepts; the colours of JSON are the editor's own. */
const languages: readonly (readonly [words: RegExp, language: string])[] = [
  [/\bYAML\b/, "yaml"],
  [/\bTOML\b/, "toml"],
  [/\bXML\b/, "xml"],
  [/\bdotenv\b/, "env"],
  [/\bSQL\b/, "sql"],
  [/\bCSV\b/, "csv"],
  [/\bPEM\b/, "pem"],
];

/** Returns what loads the colours of a tool's documents; undefined if they are JSON or have none. */
export function coloursOf({ accepts = "" }: Definition): (() => Promise<Extension>) | undefined {
  const language = languages.find(([words]) => words.test(accepts))?.[1];
  if (language === undefined) return undefined;
  return async () => (await import("../views/code/input-colours.ts")).inputColours(language);
}
