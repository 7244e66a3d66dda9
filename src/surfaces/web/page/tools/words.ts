import type { Definition } from "./definition.ts";
import { toLabel } from "./fields.ts";

/** Returns what the page calls a field of a tool. */
export const labelOf = ({ page }: Definition, name: string): string =>
  page?.labels?.[name] ?? fields[name] ?? toLabel(name);

/** Returns what the page calls a value of a choice. Names of formats and algorithms keep their spelling. */
export function wordOf({ page }: Definition, name: string, value: string): string {
  const own = page?.labels?.[`${name}=${value}`] ?? values[value];
  if (own !== undefined) return own;
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(value)) return value;
  const words = value.replaceAll("-", " ");
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** Fields that many tools have. */
const fields: Readonly<Record<string, string>> = {
  data: "Input",
  dataEncoding: "Input is",
  outputEncoding: "Output",
  duplicateKeys: "Equal keys",
  count: "How many",
  eol: "Line ends",
  useTabs: "Tabs",
  maxErrors: "Most findings",
};

const values: Readonly<Record<string, string>> = {
  auto: "Detect",
  error: "Refuse",
  utf8: "Text",
  none: "None",
  json: "JSON",
  jsonc: "JSONC",
  json5: "JSON5",
  yaml: "YAML",
  toml: "TOML",
  csv: "CSV",
  tsv: "TSV",
  xml: "XML",
  env: ".env",
  ini: "INI",
  properties: "Properties",
  ndjson: "NDJSON",
  sql: "SQL",
  html: "HTML",
  js: "JavaScript",
  go: "Go",
  php: "PHP",
  csharp: "C#",
  lf: "LF",
  crlf: "CRLF",
  asc: "Ascending",
  desc: "Descending",
  base64url: "Base64 for URLs",
  re2: "RE2",
  jsonpath: "JSONPath",
  jmespath: "JMESPath",
  jsonata: "JSONata",
  jq: "jq",
  gitignore: ".gitignore",
  codeowners: "CODEOWNERS",
  aws: "AWS",
  md5: "MD5",
  sha1: "SHA-1",
  sha224: "SHA-224",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
  github: "GitHub",
  gitlab: "GitLab",
  mysql: "MySQL",
  mariadb: "MariaDB",
  postgresql: "PostgreSQL",
  sqlite: "SQLite",
  bigquery: "BigQuery",
  transactsql: "Transact-SQL",
  tsql: "T-SQL",
  plsql: "PL/SQL",
  iban: "IBAN",
  ip: "IP address",
  mac: "MAC address",
  jwt: "JWT",
};
