import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import type { StyleFinding } from "./check.ts";
import { parseEditorConfig } from "./parse.ts";
import { knownKeys } from "./properties.ts";

const values: Readonly<Record<string, readonly string[]>> = {
  charset: ["latin1", "utf-8", "utf-8-bom", "utf-16be", "utf-16le"],
  end_of_line: ["lf", "cr", "crlf"],
  indent_style: ["space", "tab"],
  insert_final_newline: ["true", "false"],
  trim_trailing_whitespace: ["true", "false"],
  root: ["true", "false"],
};

const numbers: Readonly<Record<string, string>> = {
  indent_size: "tab",
  tab_width: "",
  max_line_length: "off",
};

const otherKeys = ["root", "spelling_language"];

/** Checks a `.editorconfig` itself: lines that readers ignore, unknown values, and keys that are nearly known. */
export function lintEditorConfig(text: string): StyleFinding[] {
  const findings: StyleFinding[] = parseEditorConfig(text).faults.map((fault) => ({
    rule: "config",
    ...fault,
  }));
  let section = false;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const [, before = "", key = "", gap = "", value = ""] =
      /^([\s\ufeff]*)([^=\s#;[][^=]*?)(\s*=\s*)(.*?)\s*$/.exec(line) ?? [];
    if (/^[\s\ufeff]*\[/.test(line)) section = true;
    if (key === "") continue;
    const at = index + before.length;
    const found = findFault(key.toLowerCase(), value.toLowerCase(), section);
    if (found === undefined) continue;
    const { message, severity, isKey } = found;
    findings.push({ rule: "config", severity, message, index: isKey ? at : at + key.length + gap.length });
  }
  return findings.toSorted((a, b) => a.index - b.index).slice(0, maxFindings);
}

const maxFindings = 100;

function findFault(
  key: string,
  value: string,
  section: boolean,
): { message: string; severity: "error" | "warning"; isKey: boolean } | undefined {
  const shown = value.slice(0, 80);
  if (key === "root" && section)
    return { message: "root counts only above the first section.", severity: "error", isKey: true };
  if (key !== "root" && !section)
    return {
      message: `${key.slice(0, 80)} counts only in a section, such as [*].`,
      severity: "error",
      isKey: true,
    };
  if (value === "unset" && key !== "root") return undefined;
  const list = Object.hasOwn(values, key) ? values[key] : undefined;
  if (list !== undefined && !list.includes(value)) {
    const near = nearest(value, list);
    const advice = near === undefined ? "" : ` Did you mean ${near}?`;
    return {
      message: `${key} must be ${joinWords(list)}, not "${shown}".${advice}`,
      severity: "error",
      isKey: false,
    };
  }
  const word = Object.hasOwn(numbers, key) ? numbers[key] : undefined;
  if (word !== undefined && value !== word && !/^[1-9]\d*$/.test(value)) {
    const or = word === "" ? "" : ` or ${word}`;
    return {
      message: `${key} must be a whole number${or}, not "${shown}".`,
      severity: "error",
      isKey: false,
    };
  }
  if (list !== undefined || word !== undefined || otherKeys.includes(key)) return undefined;
  const near = nearest(key, [...knownKeys, ...otherKeys]);
  if (near === undefined || key.includes(".")) return undefined;
  return {
    message: `"${key.slice(0, 80)}" is not a key that is known here. Did you mean ${near}?`,
    severity: "warning",
    isKey: true,
  };
}
