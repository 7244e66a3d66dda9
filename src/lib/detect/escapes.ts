import { escapers, type Language } from "../escape/languages.ts";
import type { Guess } from "./guess.ts";
import type { Sample } from "./sample.ts";

/** Text with the escapes of a programming language. */
export function detectEscapes({ text, line, whole }: Sample): Guess[] {
  if (/^[[{\s]+[^[{\s\\]/.test(text)) return [];
  const head = text.slice(0, 8192);
  const add = (confidence: number, reason: string, languages: readonly Language[]): Guess[] => [
    { kind: "escaped", confidence, reason, ...(whole && text === head && decode(text, languages)) },
  ];
  if (/'\\''|^\$'/.test(head)) return add(0.9, "It is quoted as a word of a shell.", ["shell"]);
  const literal = /^([bur]|rb|br)?(["'])(?:[^\\\n]|\\.)*\\.(?:[^\\\n]|\\.)*\2$/i.exec(line);
  if (literal !== null && !text.startsWith('"')) {
    const prefix = literal[1]?.length ?? 0;
    const part = { index: prefix, length: text.length - prefix };
    const guess = {
      kind: "escaped",
      confidence: 0.9,
      reason: "It is a string literal with escapes.",
    } as const;
    return [{ ...guess, ...decode(text.slice(prefix), ["python", "js"]), ...(prefix > 0 && { part }) }];
  }
  const unicode = head.match(/\\u[\da-fA-F]{4}|\\u\{[\da-fA-F]{1,6}\}|\\U[\da-fA-F]{8}/g)?.length ?? 0;
  const assigned = /^[\w.-]+\s*[=:]/m.test(head) && line === "";
  if (unicode > 0)
    return add(assigned ? 0.7 : 0.93, "It has escapes such as \\u00fc.", ["json", "js", "python"]);
  if (/^\\["'{[]|^[[{]+\\["n]|\\":\s*(?:\\"|\d|\{|\[|true|false|null)/.test(head))
    return add(0.95, "It has escaped quotes, as JSON within a string has.", ["json", "js"]);
  if (/\\x[\da-fA-F]{2}/.test(head))
    return add(/^(?:\\x[\da-fA-F]{2})+$/.test(line) ? 0.85 : 0.9, "It has escapes such as \\x41.", [
      "python",
      "js",
    ]);
  if (line !== "" && (head.match(/\\["']/g)?.length ?? 0) > 1 && !/(?:^|[^\\])"/.test(line))
    return add(0.78, "It has escaped quotes.", ["json", "js", "python"]);
  const lineEnds = head.match(/\\[nt](?![a-z]{0,20}\\[a-z])/g)?.length ?? 0;
  const isPath = /^[A-Za-z]:\\|\\[dwsbDWSB][+*{]?/.test(head);
  if (lineEnds > 1 && !isPath && !/^[/^]/.test(text))
    return add(line === "" ? 0.6 : 0.9, "It has line ends as \\n.", ["json", "js", "python"]);
  const one = lineEnds === 1 && !isPath && line !== "";
  return one ? add(0.75, "It has a line end as \\n.", ["json", "js", "python"]) : [];
}

/** Decodes in the first language that accepts the text. */
function decode(text: string, languages: readonly Language[]): Pick<Guess, "options" | "decoded"> {
  const mark = text.charAt(0);
  const quotes = /["']/.test(mark) && text.length > 1 && text.endsWith(mark) && !text.endsWith(`\\${mark}`);
  for (const language of languages) {
    const escaper = escapers[language];
    try {
      const decoded = Buffer.from(escaper.unescape(text, quotes || language === "shell"));
      return { options: { language, ...(quotes && escaper.quotes && { quotes }) }, decoded };
    } catch {
      // The next language may accept it.
    }
  }
  return {};
}
