import { DocumentFault } from "../fault.ts";
import { checkLength } from "../data/result-length.ts";
import { applyEdits } from "../edit/replace.ts";
import { habitsOf } from "./edit/habits.ts";
import { layOut, type YamlLayout } from "./edit/layout.ts";
import { findMovedComment, findUnsortedComment } from "./edit/same-comments.ts";
import { findChange } from "./edit/same-data.ts";
import { sortKeys } from "./edit/sort-keys.ts";
import { readSource, type YamlSource } from "./edit/source.ts";
import { toValue } from "./from-yaml.ts";
import { parseYaml, type ParsedYaml, tokenize, type YamlLibrary } from "./parse.ts";

export interface YamlFormat extends YamlLayout {
  /** Sorts every map by Unicode code point. */
  sortKeys: boolean;
}

/** A format of which the document decides a part. */
export interface WantedFormat extends Omit<YamlFormat, "sequences" | "bracketSpacing"> {
  /** As most of the document has it if it is `keep`. */
  sequences: YamlFormat["sequences"] | "keep";
  /** As most of the document has it if it is left out. */
  bracketSpacing?: boolean | undefined;
}

/**
 * Formats a YAML stream by editing it: white space between its pieces changes, and what the options name; comments, anchors, tags
 * and the text of every scalar stay.
 * @throws DocumentFault if it is not YAML, repeats a key in one map, or could not be formatted without a
 * change.
 */
export function formatYaml(yaml: YamlLibrary, text: string, wanted: WantedFormat): string {
  const parsed = parseYaml(yaml, text);
  if (parsed.faults[0] !== undefined) throw explained(text, parsed.faults[0]);
  // Converting to a value finds duplicate keys and aliases without an anchor.
  for (const document of parsed.documents)
    toValue(yaml, document, text, { schema: "failsafe", merge: false, keys: "stringify" });
  const source = readSource(text, parsed.tokens);
  if (source === undefined) throw cannot(0, false);
  const habits = habitsOf(source);
  const { sequences, bracketSpacing = habits.bracketSpacing } = wanted;
  const format: YamlFormat = {
    ...wanted,
    bracketSpacing,
    sequences: sequences === "keep" ? habits.sequences : sequences,
  };
  const sorted = format.sortKeys ? toSorted(yaml, source) : source;
  const result = applyEdits(sorted.text, layOut(sorted, format));
  // Most checked files are formatted already: then the text itself is the result, and nothing has to be compared.
  if (result === text) return text;
  checkLength(result.length);
  checkSame(yaml, parsed, sorted, result, format);
  return result;
}

function toSorted(yaml: YamlLibrary, source: YamlSource): YamlSource {
  const text = sortKeys(yaml, source);
  if (text === source.text) return source;
  const sorted = readSource(text, tokenize(yaml, text));
  const moved = sorted === undefined ? 0 : findUnsortedComment(source, sorted);
  if (sorted === undefined || moved !== undefined) throw cannot(moved ?? 0, true);
  return sorted;
}

/** Refuses a result that is another document, or in which a comment has moved. */
function checkSame(
  yaml: YamlLibrary,
  before: ParsedYaml,
  source: YamlSource,
  text: string,
  format: YamlFormat,
): void {
  const after = parseYaml(yaml, text);
  const result = readSource(text, after.tokens);
  if (after.faults.length > 0 || result === undefined) throw cannot(0, format.sortKeys);
  const changed = findChange(yaml, before.documents, after.documents, format.sortKeys);
  if (changed !== undefined) throw cannot(changed, format.sortKeys);
  const moved = findMovedComment(source, result, format);
  if (moved !== undefined) throw cannot(format.sortKeys ? 0 : moved, false);
}

const cannot = (index: number, sorted: boolean): DocumentFault =>
  new DocumentFault(
    sorted
      ? "Sorting would put an alias before its anchor, or change the document in another way; do not set sortKeys."
      : "The document uses a form that cannot be formatted without changing it.",
    { index },
    "not-formattable",
  );

/** A template is YAML only after it has been filled in. */
function explained(text: string, fault: DocumentFault): DocumentFault {
  if (!/^[^#\n]*(?:\{\{|\{%)/m.test(text)) return fault;
  const message = `${fault.message.replace(/\.$/, "")}; this looks like a template, so format the YAML that it renders to.`;
  return new DocumentFault(message, fault.at, fault.rule, fault.limit);
}
