import { isUtf8 } from "node:buffer";
import type { BlockRun } from "../catalog/tool.ts";
import type { CsvPart } from "../lib/csv/lex.ts";
import { createCsvCutter } from "../lib/csv/parts.ts";
import type { CsvReadOptions } from "../lib/csv/read.ts";
import { decodeCsv, decodeCsvPart, type Encoding } from "./csv-fields.ts";
import { createPartRun, endOfCharacters } from "./part-run.ts";
import { refusing } from "./refusing.ts";

/** Writes what follows in the result for a part of whole records. */
type Write = (text: string, part: CsvPart & { isLast: boolean }) => Iterable<string>;

/**
 * Makes a run over blocks of a tool that reads records of CSV in order; undefined for quotes that only the end of the document closes, and for a
 * character set other than UTF-8.
 */
export function createCsvRun(
  slug: string,
  reading: CsvReadOptions,
  encoding: Encoding,
  createWrite: (reading: CsvReadOptions) => Write,
): BlockRun | undefined {
  if (reading.quotes !== "strict" || (encoding !== "auto" && encoding !== "utf-8")) return undefined;
  const cutter = createCsvCutter(reading);
  let writeText: Write | undefined;

  function* write(bytes: Uint8Array, isLast: boolean): Generator<string> {
    const text = writeText === undefined ? decodeCsv(bytes, encoding) : decodeCsvPart(bytes, encoding);
    const { delimiter, part } = cutter.known(text);
    writeText ??= createWrite({ ...reading, delimiter });
    const work = writeText;
    yield* refusing(text, () => [...work(text, { ...part, isLast })]);
  }

  return createPartRun(slug, {
    cut(bytes) {
      // UTF-16 is one part.
      if (writeText === undefined && (bytes.length < 2 || isMark(bytes))) return 0;
      const whole = bytes.subarray(0, endOfCharacters(bytes));
      if (!isUtf8(whole)) return whole.length;
      const text = Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString();
      return Buffer.byteLength(text.slice(0, cutter.cut(text)));
    },
    write: (part) => write(part, false),
    last: (part) => write(part, true),
  });
}

const isMark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
