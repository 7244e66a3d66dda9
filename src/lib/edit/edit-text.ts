import { equalValues } from "../data/equal.ts";
import { checkLength } from "../data/result-length.ts";
import type { Value } from "../data/value.ts";
import { valueAt } from "../data/at-pointer.ts";
import { DocumentFault, OptionFault } from "../fault.ts";
import { type Missing, type Operation, operate, toOperations } from "./operations.ts";
import { parseEdit } from "./parse-edit.ts";
import { applyEdits, byPlace, type Edit } from "./replace.ts";

/** A document of one format, as text and as value. */
export interface EditableText {
  readonly value: Value;
  /** Returns what the text becomes by an operation. */
  plan(operation: Operation): Edit[];
}

export interface TextFormat {
  /** @throws DocumentFault */
  read(text: string): EditableText;
  /** Reads the value of an edit. */
  readValue(text: string): Value;
}

/** Most values that the edits of a call change: the text is read again for each that may move another. */
const maxOperations = 10_000;
const maxReads = 500;

/**
 * Makes the edits in a text, one after another, and changes nothing else. The result is read again and compared with the document
 * to which the same was done as a value.
 * @param strings Takes each value as text.
 * @throws DocumentFault of the text, or if an edit cannot be made without another change
 * @throws OptionFault of an edit
 */
export function editText(
  text: string,
  edits: readonly string[],
  format: TextFormat,
  { missing, strings }: { missing: Missing; strings: boolean },
): string {
  let document = format.read(text);
  let result = text;
  let reads = 0;
  let done = 0;
  for (const [at, line] of edits.entries()) {
    explaining(line, at, edits.length, () => {
      const edit = parseEdit(line);
      const value = strings ? edit.value : format.readValue(edit.value);
      const operations = toOperations(document.value, edit, value, missing).filter(
        (one) => one.kind !== "replace" || !isAt(document.value, one),
      );
      done += operations.length;
      if (done > maxOperations) throw new OptionFault(`The edits change more than ${maxOperations} values`);
      for (const round of toRounds(operations)) {
        if (++reads > maxReads)
          throw new OptionFault(`The edits remove more than ${maxReads} items one by one`);
        const changes = round.flatMap((operation) => document.plan(operation));
        [result, document] = makeEdits(format, [result, document], round, changes);
      }
    });
  }
  return result;
}

/** A removal moves the text behind it, so each is a round of its own, and the last one comes first. */
function toRounds(operations: readonly Operation[]): (readonly Operation[])[] {
  const removes = operations.some(({ kind }) => kind === "remove");
  if (removes) return operations.toReversed().map((one) => [one]);
  return operations.length === 0 ? [] : [operations];
}

function isAt(root: Value, { path, value }: Operation & { kind: "replace" }): boolean {
  const found = valueAt(root, path.map(String));
  return found !== undefined && equalValues(found, value);
}

/**
 * Makes the planned edits of operations in a text, and returns the result as it is read again.
 * @throws OptionFault if it is not the document to which the same was done as a value
 */
export function makeEdits(
  format: TextFormat,
  [text, document]: readonly [text: string, document: EditableText],
  operations: readonly Operation[],
  edits: readonly Edit[],
): [text: string, document: EditableText] {
  const expected = operate(document.value, operations);
  const result = applyEdits(text, edits.toSorted(byPlace));
  checkLength(result.length);
  return [result, readAgain(format, result, expected)];
}

function readAgain(format: TextFormat, text: string, expected: Value): EditableText {
  try {
    const document = format.read(text);
    if (equalValues(document.value, expected)) return document;
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(`The document would become invalid: ${error.message.replace(/\.$/, "")}`);
  }
  throw new OptionFault("The document has a form in which this cannot be done without changing more");
}

/** Adds the edit to the message of its fault. */
function explaining(line: string, at: number, count: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line;
    const place = error.index === undefined ? "" : `, at character ${error.index + 1}`;
    const which = count === 1 ? "" : ` of edit ${at + 1}`;
    throw new OptionFault(`${error.message}${place}${which}: ${shown}`);
  }
}
