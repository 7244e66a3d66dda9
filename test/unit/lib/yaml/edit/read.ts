import { readSource, type YamlSource } from "../../../../../src/lib/yaml/edit/source.ts";
import { loadYaml, tokenize } from "../../../../../src/lib/yaml/parse.ts";

export const yaml = await loadYaml();

export function read(text: string): YamlSource {
  const source = readSource(text, tokenize(yaml, text));
  if (source === undefined) throw new Error("The pieces are not in text order.");
  return source;
}
