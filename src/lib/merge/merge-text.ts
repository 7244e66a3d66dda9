import { append } from "../append.ts";
import { equalValues } from "../data/equal.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import type { EditableText, TextFormat } from "../edit/edit-text.ts";
import { makeEdits } from "../edit/edit-text.ts";
import type { Operation, Path } from "../edit/operations.ts";
import { byPlace, type Edit } from "../edit/replace.ts";
import { DocumentFault, OptionFault } from "../fault.ts";

/** Most times that the text is read again. Each time removes one entry of every container, and adds all that follow its last one. */
const maxRounds = 200;

/**
 * Changes a text of one value to one of another value, and nothing else: what both have keeps its bytes, comments included.
 * @param before The value of the text.
 * @throws DocumentFault if the text has a form that cannot be edited
 */
export function rewriteText(text: string, format: TextFormat, before: Value, after: Value): string {
  try {
    return rewrite(text, format, before, after);
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    const message = `${error.message.replace(/\.$/, "")}; set layout to new to write it anew.`;
    throw new DocumentFault(message, {}, "not-editable");
  }
}

function rewrite(text: string, format: TextFormat, before: Value, after: Value): string {
  let result = text;
  let document = format.read(text);
  let rounds = 0;
  let together = true;
  for (let left = findChanges(document.value, before, after); left.length > 0;) {
    if (++rounds > maxRounds)
      throw new OptionFault(
        `More than ${maxRounds} entries of one object or list are added or removed one by one`,
      );
    const { round, edits, later } = chooseRound(document, left, together);
    try {
      [result, document] = makeEdits(format, [result, document], round, edits);
      left = later;
    } catch (error) {
      if (!(error instanceof OptionFault) || !together) throw error;
      // New entries that depend on one another: one at a time.
      together = false;
    }
  }
  return result;
}

interface Round {
  round: Operation[];
  edits: Edit[];
  later: Operation[];
}

/**
 * Chooses operations that can be done at once: no edit within what another one replaces, such as a new entry behind a line that goes.
 * @param together Whether a container gets several new entries, each of them an insertion at the same place; one of each otherwise.
 */
function chooseRound(document: EditableText, operations: readonly Operation[], together: boolean): Round {
  const later: Operation[] = [];
  /** The position of the new entry of each container; undefined where that takes more than an insertion. */
  const taken = new Map<string, number | undefined>();
  const candidates: { operation: Operation; edits: Edit[]; from: number; to: number }[] = [];
  for (const operation of operations) {
    const place = JSON.stringify(operation.kind === "remove" ? operation.path.slice(0, -1) : operation.path);
    const isNext = operation.kind !== "replace" && taken.has(place);
    const at = taken.get(place);
    if (isNext && (at === undefined || operation.kind === "remove")) {
      later.push(operation);
      continue;
    }
    const edits = document.plan(operation);
    if (isNext && insertionOf(edits) !== at) {
      later.push(operation);
      continue;
    }
    if (operation.kind !== "replace")
      taken.set(place, together && operation.kind !== "remove" ? insertionOf(edits) : undefined);
    const from = Math.min(...edits.map((edit) => edit.from));
    candidates.push({ operation, edits, from, to: Math.max(...edits.map((edit) => edit.to)) });
  }
  const round: Round = { round: [], edits: [], later };
  let end = 0;
  for (const { operation, edits, from, to } of candidates.toSorted(byPlace)) {
    if (from < end) {
      later.push(operation);
      continue;
    }
    end = Math.max(end, to);
    round.round.push(operation);
    append(round.edits, edits);
  }
  return round;
}

/** The place of an edit that only inserts an entry behind another one, so that more can follow there. */
const insertionOf = ([edit, ...others]: readonly Edit[]): number | undefined =>
  edit !== undefined && others.length === 0 && edit.from === edit.to && /^[,\r\n]/.test(edit.text)
    ? edit.from
    : undefined;

/**
 * Lists the operations that make one value of another. Where the text has an alias, its own value differs from the one that
 * it stands for.
 */
function findChanges(written: Value, before: Value, after: Value): Operation[] {
  const found: Operation[] = [];
  visit(written, before, after, []);
  return found;

  /** Recursive: every parser limits the depth. */
  function visit(own: Value | undefined, one: Value | undefined, other: Value, path: Path): void {
    if (one !== undefined && equalValues(one, other)) return;
    if (isDictionary(own ?? null) && isDictionary(one ?? null) && isDictionary(other) && own !== undefined) {
      const members = own as Map<string, Value>;
      const known = one as Map<string, Value>;
      for (const key of members.keys())
        if (key !== "<<" && known.has(key) && !other.has(key))
          found.push({ kind: "remove", path: [...path, key] });
      for (const [key, value] of other) {
        const inner = known.get(key);
        if (members.has(key)) visit(members.get(key), inner, value, [...path, key]);
        else if (inner === undefined || !equalValues(inner, value))
          found.push({ kind: "insert", path, key, value });
      }
      return;
    }
    if (
      own !== undefined &&
      isList(own) &&
      one !== undefined &&
      isList(one) &&
      isList(other) &&
      other.length >= one.length &&
      own.length > 0
    ) {
      for (const [at, value] of other.entries()) {
        if (at < one.length) visit(own[at], one[at], value, [...path, at]);
        else found.push({ kind: "append", path, value });
      }
      return;
    }
    found.push({ kind: "replace", path, value: other });
  }
}
