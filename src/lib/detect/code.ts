import { loadGraphql, parseDocument } from "../graphql/problem.ts";
import { loadSqlFormatter } from "../sql/format.ts";
import { type Guess, shareOf } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** Most text that a parser of a library reads. */
const maxParsed = 4 * 1024;

const statement =
  /^(?:select\b[\s\S]{1,2000}?\bfrom\b|select\b[^.!?]{1,200};?$|insert\s+(?:into|ignore|overwrite)\b|replace\s+into\b|update\b[\s\S]{1,500}?\bset\b|delete\s+from\b|create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+|external\s+)*(?:table|index|view|database|schema|function|procedure|trigger|type|sequence|user|role|extension)\b|alter\s+(?:table|database|user|role|view|index|type|sequence)\b|drop\s+(?:table|index|view|database|schema|function|user|role|type|column)\b|truncate\s+(?:table\s+)?\w|with\s+(?:recursive\s+)?[\w"`]+\s*(?:\([^)]{0,200}\)\s*)?as\s*(?:materialized\s*)?\(|merge\s+into\b|grant\s+[\w\s,]{1,200}\bon\b|revoke\s+[\w\s,]{1,200}\bon\b|explain\s+(?:analyze\s+|\(|select|verbose)|begin\s*(?:transaction|work)?\s*;|start\s+transaction|declare\s+@|use\s+[\w`]+;|set\s+@?\w+\s*=|show\s+(?:tables|databases|columns|create)\b|call\s+\w+\s*\(|exec(?:ute)?\s+\w|pragma\s+\w|vacuum\b|analyze\s+\w|values\s*\(|comment\s+on\b|copy\s+[\w.]+\s*(?:\(|from|to))/i;

export async function detectSql({ text }: Sample): Promise<Guess[]> {
  const code = text
    .slice(0, 8192)
    .replace(/^(?:--[^\n]*\n\s*|#[^\n]*\n\s*|\/\*[\s\S]{0,2000}?\*\/\s*|\(\s*)+/, "");
  if (!statement.test(code)) return [];
  // A sentence may begin with a verb of SQL; punctuation and operators tell.
  const certain =
    /[;*=()]|^select\s+[\d'@]|\n\s*from\b|^select\s+(?:distinct\s+)?[\w.*"`]+(?:\s*,\s*[\w.*"`]+)*\s+from\s+\S+|\b(?:where|join|group by|order by|values|limit)\b/i.test(
      code,
    );
  const format = await loadSqlFormatter({ dialect: "sql", keywordCase: "preserve", indent: 2, useTabs: false, placeholders: ["braces", "colon", "dollar", "percent", "at"] }); // prettier-ignore
  try {
    format(cutAtLine(code, maxParsed));
    return [
      {
        kind: "sql",
        confidence: certain ? 0.95 : 0.5,
        reason: "It begins with a statement of SQL, and can be formatted.",
      },
    ];
  } catch {
    // Dialects differ, so that a fault is no proof of the contrary.
    return [{ kind: "sql", confidence: certain ? 0.88 : 0.3, reason: "It begins with a statement of SQL." }];
  }
}

const definition =
  /^(?:(?:extend\s+)?(?:type|input|interface|enum|union|scalar|schema|directive)\b|query\b|mutation\b|subscription\b|fragment\s+\w+\s+on\b|\{)/;

export async function detectGraphql({ text }: Sample): Promise<Guess[]> {
  const head = cutAtLine(text, maxParsed);
  const code = head.replace(/^(?:#[^\n]*\n\s*|"""[\s\S]{0,2000}?"""\s*|"[^"\n]{0,500}"\s*)+/, "");
  if (!definition.test(code) || /^\{[{%]/.test(code)) return [];
  if (/^\{\s*["'}]|^type\s+\w+\s*=|^enum\s+\w+\s*\{[^}]*=|^interface\s+\w+\s*\{[^}]*;/.test(code)) return [];
  const graphql = await loadGraphql();
  const parsed = parseDocument(graphql, head);
  if (!Array.isArray(parsed))
    return [{ kind: toKind(code), confidence: 0.96, reason: "It is valid GraphQL." }];
  const at = parsed[0]?.index ?? 0;
  if (head.length < text.length && at >= head.length - 200)
    return [{ kind: toKind(code), confidence: 0.9, reason: "Its beginning is valid GraphQL." }];
  const typed = /^[ \t]+\w+(?:\([^)]{0,300}\))?\s*:\s*\[?[A-Z]\w*!?\]?!?/m.test(code);
  const named =
    /^(?:type|input|interface|enum) [A-Z]\w*[^{\n]{0,200}\{\s*$/m.test(code) &&
    /\w\s*:\s*\[?[A-Z]\w*/.test(code);
  const selected =
    /^(?:query|mutation|subscription|fragment)\b[^{]{0,500}\{/.test(code) &&
    !/[;=]/.test(code.slice(0, 300).replace(/\([^)]*\)/g, ""));
  return typed || named || selected || parsed[0]?.rule === "empty-selection"
    ? [
        {
          kind: toKind(code),
          confidence: 0.88,
          reason: `It looks like GraphQL, with a fault: ${parsed[0]?.message}`,
        },
      ]
    : [];
}

const toKind = (code: string): "graphql" | "graphql-operations" =>
  /^(?:query|mutation|subscription|fragment)\b|^\{/.test(code) ? "graphql-operations" : "graphql";

export function detectDiff({ text, lines }: Sample): Guess[] {
  if (
    /^(?:diff --git |Index: |diff -|Only in )/.test(text) ||
    /^(?:---|\*\*\*) \S[^\n]*\n(?:\+\+\+|---) \S/m.test(text) ||
    /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text)
  )
    return [{ kind: "diff", confidence: 0.97, reason: "It has the header of a patch." }];
  if (/^<{7} /m.test(text) && /^={7}$/m.test(text) && /^>{7} /m.test(text))
    return [{ kind: "diff", confidence: 0.95, reason: "It has the marks of a merge conflict." }];
  if (/^\d+(?:,\d+)?[acd]\d+/.test(text) && lines.slice(1).every((line) => /^(?:[<>] ?|---|\d)/.test(line)))
    return [{ kind: "diff", confidence: 0.93, reason: "It is the output of diff." }];
  const signs = shareOf(lines, (line) => /^[-+ ] ?\S/.test(line));
  if (signs === 1 && lines.some((line) => /^- ?\S/.test(line)) && lines.some((line) => /^\+ ?\S/.test(line)))
    return [{ kind: "diff", confidence: 0.85, reason: "Each line is removed, added or kept." }];
  const marked = lines.filter((line) => /^[+-](?![+-])\S?/.test(line)).length;
  const pairs = /^-(?!-| )[^\n]*\n\+(?!\+| )/m.test(text);
  return pairs && marked >= 2
    ? [{ kind: "diff", confidence: 0.75, reason: "It has lines that are removed and added." }]
    : [];
}

const instruction =
  /^(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\s+\S/i;

/** A Dockerfile begins with FROM, after ARG and comments, and has other instructions. */
export function detectDockerfile({ lines }: Sample): Guess[] {
  const code = lines.filter((line) => !/^\s*#/.test(line));
  const from = code.findIndex((line) => !/^ARG\s/i.test(line));
  const first = code[from] ?? "";
  if (!/^FROM\s+(?:--platform=\S+\s+)?[\w.:/@${}-]+(?:\s+AS\s+[\w.-]+)?$/i.test(first)) return [];
  const others = code.filter((line, at) => at !== from && instruction.test(line)).length;
  // One line may be the end of a query.
  if (others === 0)
    return /^FROM \S*[a-z][:/@]\S+$|^FROM \S+ AS \S+$/.test(first) && code.length === 1
      ? [{ kind: "dockerfile", confidence: 0.85, reason: "It is an instruction of a Dockerfile." }]
      : [];
  return [
    { kind: "dockerfile", confidence: 0.97, reason: "It has FROM and other instructions of a Dockerfile." },
  ];
}

export function detectTemplate({ text, lines }: Sample): Guess[] {
  const head = text.slice(0, 16_384);
  const tags = head.match(/(?<!\$)\{\{[{#^/&!>~]?-? ?[\w.$ "'|()-]{1,100}-?\}?\}\}/g) ?? [];
  if (tags.length > 0)
    return [
      {
        kind: "mustache",
        confidence: tags.length > 1 || lines.length === 1 ? 0.96 : 0.85,
        reason: `It has tags such as ${tags[0]}.`,
      },
    ];
  if (/\{% ?-?\w[^%\n]{0,200}%\}|<%[=-]? ?[\w@.][^%\n]{0,200}%>/.test(head))
    return [{ kind: "mustache", confidence: 0.8, reason: "It has the tags of a template." }];
  const braced = head.match(/\$\{[A-Za-z_]\w*(?::?[-?+=][^}\n]{0,200})?\}/g) ?? [];
  const bare = head.match(/\$[A-Z_][A-Z\d_]+\b/g) ?? [];
  const isProgram =
    /^#!|^[ \t]*(?:const|let|var|function|import|export|if \[|echo|set -|curl|for |while )\b/m.test(head) ||
    /`[^`\n]*\$\{[^`\n]*`/.test(head);
  if (braced.length + bare.length === 0 || isProgram) return [];
  const assigned = shareOf(lines, (line) => /^[A-Z_][A-Z\d_]*=/.test(line)) > 0.3;
  const known = braced.length > 0 ? 0.93 : bare.length > 1 ? 0.85 : 0.7;
  return [
    {
      kind: "envsubst",
      confidence: assigned ? 0.6 : known,
      reason: `It has references such as ${braced[0] ?? bare[0]}.`,
    },
  ];
}

const programming =
  /^[ \t]*(?:import .{1,200} from |import [\w.{]|from [\w.]+ import |#include|package [\w.]+;?$|using [\w.]+;|def \w+\(|class \w+|function\*? \w*\(|func \w*\(|fn \w+|const \w+ ?=|let (?:mut )?\w+ ?=|var \w+|public |private |return\b|if ?\(|for ?\(|while ?\(|#!\/|export (?:default|const|function|class)|module\.exports|async function|try \{|\}? ?catch|@\w+\(|\$\w+ = )/m;

/** The selector of the first rule of a style sheet, or a rule such as @media. */
const selector =
  /^(?:@[\w-]+[^{};]{0,200}|[.#*a-zA-Z:[][^{}:;]{0,200}(?::{1,2}[a-z-]+(?:\([^)]{0,60}\))?[^{}:;]{0,100}){0,3})\{/;

/** Source code: scripts and style sheets of pages, and others. */
export function detectSource({ text, lines }: Sample): Guess[] {
  const head = text.slice(0, 8192);
  const plain = head.replace(/^(?:\/\*[^!][\s\S]{0,2000}?\*\/\s*|@(?:import|charset)\b[^;]{0,300};\s*)+/, "");
  if (selector.test(plain) && /\{\s*[a-z-]{2,40}\s*:[^{};]{1,300}[;}]/.test(plain) && !programming.test(head))
    return [{ kind: "style-sheet", confidence: 0.9, reason: "It has rules of CSS." }];
  const script =
    /^!function|^\(?\(?(?:function\b|\(\w*(?:,\w+)*\) ?=>)|^["']use strict["']|^\/\*[!*]|\bfunction\b ?\w*\([\w, ]*\) ?\{|=>\s*[{(]|\b(?:document|window|console|module|require)\b[.(]/.test(
      head,
    );
  const dense = head.length / Math.max(1, lines.length) > 120;
  if (script && /[;{}]/.test(head))
    return [{ kind: "script", confidence: dense ? 0.93 : 0.75, reason: "It is a script." }];
  return programming.test(head) && (lines.length > 1 || /[;{}()]/.test(head))
    ? [{ kind: "source-code", confidence: 0.55, reason: "It is source code." }]
    : [];
}
