import { DocumentFault } from "../fault.ts";

/** A hunk of a unified patch. Lines keep their ends; numbers of lines are from 1. */
export interface PatchHunk {
  /** The line of the old text where it begins; for an empty range the line after which it stands. */
  oldStart: number;
  newStart: number;
  lines: { sign: " " | "-" | "+"; text: string }[];
  /** The place of its header in the patch, in UTF-16 code units from 0. */
  index: number;
}

/** The changes of one file. */
export interface FilePatch {
  /** The name after `---`, without a time; undefined if there is none. */
  oldName: string | undefined;
  newName: string | undefined;
  hunks: PatchHunk[];
}

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * Parses a unified patch, as of `diff -u` and `git diff`. Text around the changes, such as a mail, is ignored.
 * @throws DocumentFault for a patch of another format, a binary patch, and a hunk that is cut off.
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = patch.split(/(?<=\n)/);
  const files: FilePatch[] = [];
  let index = 0;
  for (let at = 0; at < lines.length;) {
    const line = withoutEnd(lines[at] as string);
    const next = withoutEnd(lines[at + 1] ?? "");
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      files.push({ oldName: toName(line), newName: toName(next), hunks: [] });
      index += (lines[at] as string).length + (lines[at + 1] as string).length;
      at += 2;
    } else if (header.test(line)) {
      if (files.length === 0) files.push({ oldName: undefined, newName: undefined, hunks: [] });
      const hunk = readHunk(lines, at, index);
      (files.at(-1) as FilePatch).hunks.push(hunk.hunk);
      for (; at < hunk.end; at++) index += (lines[at] as string).length;
    } else {
      refuseOthers(line, index);
      index += (lines[at] as string).length;
      at++;
    }
  }
  const found = files.filter(({ hunks }) => hunks.length > 0);
  if (found.length === 0 && patch.trim() !== "") {
    const message = "This is no unified patch: no line begins with @@ -. Make one with diff -u or git diff.";
    throw new DocumentFault(message, { index: 0 });
  }
  return found;
}

/** @throws DocumentFault if a line begins a change in another format. */
function refuseOthers(line: string, index: number): void {
  if (/^(?:GIT binary patch|Binary files .* differ)$/.test(line))
    throw new DocumentFault("The patch of a binary file cannot be applied to a text.", { index });
  if (line.startsWith("@@@ "))
    throw new DocumentFault("This is a combined diff of a merge; make one against a single parent.", {
      index,
    });
  if (/^\*{15}/.test(line))
    throw new DocumentFault("This is a context diff; make a unified one with diff -u.", { index });
  if (line.startsWith("@@ ")) throw new DocumentFault("A hunk begins like @@ -1,3 +1,4 @@.", { index });
}

function readHunk(lines: readonly string[], start: number, index: number): { hunk: PatchHunk; end: number } {
  const first = lines[start] as string;
  const [, oldStart, oldCount = "1", newStart, newCount = "1"] = header.exec(first) ?? [];
  // A mail or an editor may have turned the line ends of the whole patch into CRLF.
  const crlf = first.endsWith("\r\n");
  const hunk: PatchHunk = { oldStart: Number(oldStart), newStart: Number(newStart), lines: [], index };
  let [old, now] = [Number(oldCount), Number(newCount)];
  let at = start + 1;
  let place = index + first.length;
  while (old > 0 || now > 0 || lines[at]?.startsWith("\\")) {
    const line = lines[at];
    if (line === undefined) throw cutOff(old, now, place);
    const [sign = " "] = line;
    if (sign === "\\") {
      const last = hunk.lines.at(-1);
      if (last === undefined) throw new DocumentFault("Nothing precedes this line.", { index: place });
      last.text = last.text.replace(/\r?\n$/, "");
    } else {
      // Editors remove the space of an empty line of context.
      const isEmpty = /^\r?\n?$/.test(line);
      if (!isEmpty && sign !== " " && sign !== "-" && sign !== "+") throw cutOff(old, now, place);
      if (isEmpty || sign !== "+") old--;
      if (isEmpty || sign !== "-") now--;
      if (old < 0 || now < 0)
        throw new DocumentFault("The hunk has more lines than its header says.", { index: place });
      const text = isEmpty ? line : line.slice(1);
      hunk.lines.push({
        sign: isEmpty ? " " : (sign as " " | "-" | "+"),
        text: crlf ? text.replace(/\r\n$/, "\n") : text,
      });
    }
    place += line.length;
    at++;
  }
  return { hunk, end: at };
}

const cutOff = (old: number, now: number, index: number): DocumentFault =>
  new DocumentFault(
    `The hunk ends too early: its header announces ${old} more old and ${now} more new lines.`,
    { index },
  );

const withoutEnd = (line: string): string => line.replace(/\r?\n$/, "");

/** The name of a file; Git and diff put a tab before a time. */
function toName(line: string): string | undefined {
  const [name = ""] = line.slice(4).split("\t");
  return name === "/dev/null" || name === "" ? undefined : name;
}
