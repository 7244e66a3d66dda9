import { readFileSync } from "node:fs";

export interface Labelled {
  name: string;
  input?: string;
  base64?: string;
  /** The tools to offer, the best first. */
  tools: string[];
}

/** Reads the inputs of `inputs.json` or `second/inputs.json`. */
export const readLabelled = (file: string): Labelled[] =>
  JSON.parse(readFileSync(new URL(`../catalog/found/${file}`, import.meta.url), "utf8")) as Labelled[];
