import { jsonTokens } from "../../editor/json-tokens.ts";

/** Tokens of each language, by the names of their kinds. They are found line by line, so that what spans lines may lack its colour. */
export const languages: Readonly<Record<string, RegExp>> = {
  json: jsonTokens,
  yaml: /(?<comment>(?:^|(?<=\s))#.*)|(?<key>(?:[\w$./@-][^\s:#"'{}[\],]*|"(?:[^"\\]|\\.)*"|'[^']*')(?=\s*:(?:\s|$)))|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<![\w.-])(?<number>[-+]?(?:0x[\da-f]+|0o[0-7]+|\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|\.inf|\.nan))(?![\w.:-])|(?<![\w.-])(?<atom>true|false|null|~|yes|no)(?![\w.:-])/gi,
  toml: /(?<comment>#.*)|(?<key>^\s*\[\[?[^\]]*\]\]?|(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*[\w-]+)*(?=\s*=))|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<![\w.-])(?<number>[-+]?(?:\d[\w:.+-]*|inf|nan))|\b(?<atom>true|false)\b/g,
  xml: /(?<comment><!--.*?(?:-->|$))|(?<key><\/?[\w:.-]+|\/?>|<[?!][\w[]*|\?>)|(?<=\s)(?<atom>[\w:.-]+)(?==)|(?<string>"[^"<]*"|'[^'<]*'|&#?\w+;)/g,
  env: /(?<comment>(?:^|(?<=\s))#.*)|(?<atom>^\s*export(?=\s))|(?<key>[A-Za-z_][\w.-]*(?==))|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<==)(?<number>-?\d+(?:\.\d+)?)$/g,
  sql: /(?<comment>--.*|\/\*.*?(?:\*\/|$))|(?<string>'(?:[^']|'')*'?)|(?<number>\b\d+(?:\.\d+)?\b)|(?<key>"[^"]*"|`[^`]*`|[:@$]\w+)|\b(?<atom>select|from|where|and|or|not|in|is|null|join|left|right|inner|outer|full|cross|on|group|order|by|having|limit|offset|insert|into|values|update|set|delete|create|alter|drop|table|view|index|as|distinct|union|all|case|when|then|else|end|with|exists|between|like|primary|key|foreign|references|default|true|false|asc|desc|using|returning|over|partition)\b/gi,
  pem: /(?<key>-----(?:BEGIN|END) .*)/g,
  csv: /(?<string>"(?:[^"]|"")*"?)|(?<=^|[,;\t|])(?<number>-?\d+(?:\.\d+)?)(?=$|[,;\t|])/g,
};

/** Returns the language of a text; undefined if it is none of them. */
export function findLanguage(text: string): string | undefined {
  const head = text.slice(0, 1000).trimStart();
  if (/^[[{]\s*(?:["{[\]}\d-]|true|false|null|$)/.test(head)) return "json";
  return /^<[?!]?[A-Za-z]/.test(head) ? "xml" : undefined;
}
