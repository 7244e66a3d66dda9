/** What a Content-Type header says, as far as it matters here. */
export interface MediaType {
  /** Lower case, without parameters. */
  type: string;
  /** Lower case, undefined where none was named. */
  charset: string | undefined;
}

/** RFC 9110 §8.3.1. Undefined where there is no header or it is no media type. */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined) return undefined;
  if (header === "application/json" || header === "text/plain") return { type: header, charset: undefined };
  const [name = "", ...parameters] = header.split(";");
  const type = name.trim().toLowerCase();
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)) return undefined;
  for (const parameter of parameters) {
    const match = /^\s*charset\s*=\s*(?:"([^"]*)"|([^\s"]*))\s*$/i.exec(parameter);
    if (match) return { type, charset: (match[1] ?? match[2] ?? "").toLowerCase() };
  }
  return { type, charset: undefined };
}

export const isUtf8Charset = (charset: string | undefined): boolean =>
  charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii";
