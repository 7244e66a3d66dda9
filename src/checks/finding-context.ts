import { createHash } from "node:crypto";
import { isAboutFile, toRuleId } from "./rule-id.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

/**
 * Adds to each finding what depends on the document: its fingerprint and its column in bytes. A fingerprint survives lines that
 * shift and text that is indented anew.
 * @param path Relative to the root of the repository, so that it does not depend on the current folder.
 * @param bytes The document; undefined if it could not be read.
 */
export function addContext(file: CheckedFile, path: string, bytes?: Uint8Array): CheckedFile {
  const { tool, errors } = file;
  if (errors.length === 0) return file;
  const lines = bytes === undefined ? new Map<number, string>() : readLines(bytes, errors);
  const times = new Map<string, number>();
  return {
    ...file,
    errors: errors.map((finding) => {
      const text = finding.line === undefined ? undefined : lines.get(finding.line);
      const rule = toRuleId(tool, finding.rule);
      const whole = isAboutFile(tool, finding.rule);
      const parts = JSON.stringify(
        whole ? [rule, path] : [rule, path, toSteady(finding), (text ?? "").trim()],
      );
      const time = (times.get(parts) ?? 0) + 1;
      times.set(parts, time);
      return {
        ...finding,
        fingerprint: hash(time === 1 ? parts : `${parts}${time}`),
        ...(text !== undefined &&
          finding.column !== undefined && { byteColumn: toByteColumn(text, finding.column) }),
      };
    }),
  };
}

/** A message without the numbers of lines and columns. */
const toSteady = ({ message }: FileFinding): string =>
  message.replaceAll(/\b(lines?|columns?|offset|byte|character|position) \d+/gi, "$1");

/** As long as an MD5, which readers are used to. */
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the text of the lines that findings are on. Lines end as in `lib/json/position.ts`. */
function readLines(bytes: Uint8Array, findings: readonly FileFinding[]): Map<number, string> {
  const wanted = new Set(findings.flatMap(({ line }) => line ?? []));
  const lines = new Map<number, string>();
  const last = Math.max(0, ...wanted);
  let start = 0;
  for (let at = 0, line = 1; line <= last && at <= bytes.length; at++) {
    const byte = bytes[at];
    const ends =
      byte === undefined || byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed);
    if (!ends) continue;
    if (wanted.has(line))
      lines.set(line, Buffer.from(bytes.subarray(start, at)).toString().replace(/\r$/, ""));
    start = at + 1;
    line++;
  }
  return lines;
}

function toByteColumn(text: string, column: number): number {
  let index = 0;
  for (let left = column; left > 1 && index < text.length; left--)
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
  return Buffer.byteLength(text.slice(0, index)) + 1;
}
