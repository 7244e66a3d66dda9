/** A table as texts. */
export interface Sheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Returns the records of a CSV text (RFC 4180); the first is the header unless it has none. */
export function readCsv(text: string, delimiter = findDelimiter(text), hasHeader = true): Sheet {
  const records = parse(text.replace(/^\ufeff/, ""), delimiter);
  const width = Math.max(0, ...records.slice(0, 1000).map((record) => record.length));
  const header = hasHeader ? records.shift() : undefined;
  return { header: header ?? Array.from({ length: width }, (_, index) => `${index + 1}`), rows: records };
}

function parse(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length;) {
    let field = "";
    if (text[at] === '"') {
      let end = at + 1;
      for (;;) {
        const quote = text.indexOf('"', end);
        if (quote === -1) {
          field += text.slice(end);
          end = text.length;
          break;
        }
        field += text.slice(end, quote);
        end = quote + 1;
        if (text[end] !== '"') break;
        field += '"';
        end++;
      }
      at = end;
    }
    let end = at;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n") end++;
    field += text.slice(at, text[end] === "\n" && text[end - 1] === "\r" ? end - 1 : end);
    record.push(field);
    at = end + 1;
    if (text[end] !== delimiter) {
      records.push(record);
      record = [];
    } else if (at >= text.length) record.push("");
  }
  if (record.length > 0) records.push(record);
  return records;
}

/** Returns the delimiter that occurs most in the first line. */
function findDelimiter(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const counts = [",", ";", "\t", "|"].map((one) => [one, line.split(one).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
