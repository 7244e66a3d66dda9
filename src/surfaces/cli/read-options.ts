import { fileFields, toFieldText } from "../../catalog/file-fields.ts";
import { maxText } from "../../catalog/tool.ts";
import { toText } from "../../catalog/text.ts";
import type { Tool } from "../../catalog/tool.ts";
import { toFlag } from "../../lib/shell-words.ts";
import type { Host } from "./host.ts";
import { type NamedDocument, readDocument } from "./read-document.ts";
import { isSecond, toFileFlag, toOptions } from "./tool-options.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** The options of a line, and the source of each. */
export interface GivenOptions {
  /** Field names with their values as text. */
  pairs: [string, string][];
  /** By field: the text and the name of its source, for messages that show a place in it. */
  documents: ReadonlyMap<string, NamedDocument>;
}

/**
 * Reads the options of a validated line, and the files that some of them name.
 * @param operands The arguments of a command that takes two documents; the second is an option of the tool.
 * @param read Reads a file elsewhere than on the disk; undefined for one that is not there.
 * @throws ToolError invalid_input if a file cannot be read or is not UTF-8.
 */
export async function readOptions(
  tool: Tool,
  raw: readonly string[],
  host: Host,
  [first, second]: readonly string[] = [],
  read?: (file: string) => Promise<string | undefined>,
): Promise<GivenOptions> {
  const pairs = toOptions(tool, raw);
  const documents = new Map(
    pairs.map(([name, text]): [string, NamedDocument] => [
      name,
      { name: `--${toFlag(name)}`, bytes: Buffer.from(text) },
    ]),
  );
  const words = raw.slice(0, raw.indexOf("--"));
  for (const field of fileFields(tool)) {
    const prefix = `--${toFileFlag(field)}=`;
    const named = words.find((word) => word.startsWith(prefix))?.slice(prefix.length);
    const file = named ?? (isSecond(field) ? second : undefined);
    if (file === undefined) continue;
    if (named === undefined && file === "-" && first === "-")
      throw usageError("Only one of the two documents can be standard input (-); give a file for the other.");
    if (named === "-")
      throw usageError(`--${toFileFlag(field)} takes a file, not -: standard input is the document.`);
    const other = await read?.(file);
    const document =
      other === undefined
        ? await readDocument(file, host, { bytes: maxText, slug: `--${toFileFlag(field)}` })
        : { name: file, bytes: Buffer.from(other) };
    const text = other ?? toText(document.bytes, "invalid_input", visible(file));
    pairs.push([field.name, toFieldText(field, text)]);
    documents.set(field.name, document);
  }
  return { pairs, documents };
}
