import { csharp, go, java, js, json, php, python, yaml } from "./backslash-languages.ts";
import type { Escaper } from "./escaper.ts";
import { csv, regex, sql } from "./plain.ts";
import { shell } from "./shell.ts";
import { xml } from "./xml.ts";

export const languages = [
  "shell",
  "json",
  "js",
  "java",
  "python",
  "sql",
  "regex",
  "csv",
  "xml",
  "go",
  "csharp",
  "php",
  "yaml",
] as const;

export type Language = (typeof languages)[number];

export const escapers: Readonly<Record<Language, Escaper>> = {
  shell,
  json,
  js,
  java,
  python,
  sql,
  regex,
  csv,
  xml,
  go,
  csharp,
  php,
  yaml,
};
