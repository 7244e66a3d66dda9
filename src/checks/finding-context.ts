import { createHash } from "node:crypto";
import { isAboutFile, toRuleId } from "./rule-id.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

/** A line that a finding is on. */
interface SourceLine {
  /** Its first byte. */
  start: number;
  /** The text without its indentation; the hash of a long one, since a line may have very many findings. */
  text: string;
}

/**
 * Adds to each finding what depends on the document: its fingerprint and its column in bytes. A fingerprint survives lines that
 * shift and text that is indented anew.
 * @param path Relative to the root of the repository, so that it does not depend on the current folder.
 * @param bytes The document; undefined if it could not be read.
 */
export function addContext(file: CheckedFile, path: string, bytes?: Uint8Array): CheckedFile {
  const { tool, errors } = file;
  if (errors.length === 0) return file;
  const lines = bytes === undefined ? new Map<number, SourceLine>() : readLines(bytes, errors);
  const times = new Map<string, number>();
  return {
    ...file,
    errors: errors.map((finding) => {
      const line = finding.line === undefined ? undefined : lines.get(finding.line);
      const rule = toRuleId(tool, finding.rule);
      const about = isAboutFile(tool, finding.rule) ? [] : [toSteady(finding), line?.text ?? ""];
      const parts = JSON.stringify([rule, path, ...about]);
      const time = (times.get(parts) ?? 0) + 1;
      times.set(parts, time);
      const column = line === undefined ? undefined : toByteColumn(finding, line);
      return {
        ...finding,
        fingerprint: hash(time === 1 ? parts : `${parts}${time}`),
        ...(column !== undefined && { byteColumn: column }),
      };
    }),
  };
}

/** A message without the numbers of lines and columns. */
const toSteady = ({ message }: FileFinding): string =>
  message.replaceAll(/\b(lines?|columns?|offset|byte|character|position) \d+/gi, "$1");

/** The length of an MD5, which readers expect. */
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Only findings with an offset have a column in bytes; counting it anew for each finding of a long line would take too long. */
const toByteColumn = ({ offset, column }: FileFinding, { start }: SourceLine): number | undefined =>
  offset === undefined || column === undefined || offset < start ? undefined : offset - start + 1;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Longer lines are hashed. */
const longLine = 200;

/** Finds the lines that findings are on. Lines end as in `lib/json/position.ts`. */
function readLines(bytes: Uint8Array, findings: readonly FileFinding[]): Map<number, SourceLine> {
  const wanted = new Set(findings.map(({ line }) => line));
  const lines = new Map<number, SourceLine>();
  let start = 0;
  for (let at = 0, line = 1; lines.size < wanted.size && at <= bytes.length; at++) {
    const byte = bytes[at];
    const ends =
      byte === undefined || byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed);
    if (!ends) continue;
    if (wanted.has(line)) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start)
        .toString()
        .trim();
      lines.set(line, { start, text: text.length > longLine ? hash(text) : text });
    }
    start = at + 1;
    line++;
  }
  return lines;
}
