/** One sentence on each category. An operator's own category needs no entry. */
export const categories: Readonly<Record<string, string>> = {
  cert: "Certificates and SSH keys: their contents, whether they match and when they expire.",
  crypto: "Hashes, message authentication codes, checksums and webhook signatures.",
  data: "Lossless conversions between JSON, YAML, TOML, CSV, XML, NDJSON and ENV.",
  diff: "Differences between documents: compare, patch and merge.",
  encoding: "Encoders, decoders and escapes, in pairs.",
  format: "Formatters for languages other than JSON and YAML.",
  generate: "Identifiers, passwords and tokens.",
  image: "Images generated from text.",
  json: "Format, validate, query, sort, patch and redact JSON without changing values.",
  jwt: "Decode, verify and sign JSON Web Tokens.",
  lint: "Validators and linters; all return reports of the same shape.",
  math: "Numbers, sizes and versions.",
  network: "IP addresses and networks, calculated offline.",
  pipelines: "Several tools in sequence, in one call or saved under a name.",
  regex: "Test regular expressions and globs.",
  text: "Lines, words, case, whitespace and templates.",
  time: "Dates, times, time zones and cron expressions.",
  web: "URLs, query strings and HTML.",
};

/** A category as pages show it. */
export interface ShownCategory {
  id: string;
  name: string;
  /** A few words on its tools. */
  about: string;
  /** The slugs of the tools that most people come for, which are listed before the others. */
  first?: readonly string[];
}

/** The categories in the order of the pages. An operator's own category comes after them, under its own name. */
export const shownCategories: readonly ShownCategory[] = [
  {
    id: "json",
    name: "JSON",
    about: "Format, validate, query, patch, sort, redact",
    first: ["json-formatter", "json-validator", "json-query", "json-minifier"],
  },
  {
    id: "data",
    name: "Convert data",
    about: "JSON, YAML, TOML, CSV, XML, .env",
    first: ["json-to-yaml", "yaml-to-json", "csv-to-json", "json-to-csv"],
  },
  { id: "encoding", name: "Encode & decode", about: "Base64, URL, hex, HTML, escapes" },
  { id: "jwt", name: "JSON Web Tokens", about: "Decode, verify, sign" },
  {
    id: "diff",
    name: "Compare & merge",
    about: "Text, JSON, lists, patches",
    first: ["text-differ", "json-differ"],
  },
  { id: "text", name: "Text & lines", about: "Case, sort, filter, replace, redact" },
  { id: "regex", name: "Regex & globs", about: "Matches, groups, gitignore", first: ["regex-tester"] },
  {
    id: "time",
    name: "Dates & times",
    about: "Cron, timestamps, time zones",
    first: ["timestamp-converter", "cron-parser"],
  },
  {
    id: "generate",
    name: "IDs & passwords",
    about: "UUID, ULID, NanoID, tokens",
    first: ["uuid-generator", "password-generator"],
  },
  {
    id: "crypto",
    name: "Hashes & signatures",
    about: "Digests, HMAC, SRI, webhooks",
    first: ["hash-generator", "hmac-generator"],
  },
  { id: "lint", name: "Validate & lint", about: "Schema, OpenAPI, secrets, commits" },
  { id: "format", name: "Format code", about: "SQL, XML, GraphQL, TOML" },
  { id: "web", name: "URLs & HTML", about: "Parse, build and query", first: ["url-parser"] },
  { id: "network", name: "IP & networks", about: "CIDR, ranges" },
  { id: "cert", name: "Certificates & SSH", about: "X.509, keys, expiry", first: ["x509-parser"] },
  { id: "math", name: "Numbers & versions", about: "Bases, sizes, SemVer" },
  { id: "image", name: "QR codes & badges", about: "SVG, PNG", first: ["qr-code-generator"] },
  { id: "pipelines", name: "Pipelines", about: "Several tools in one call" },
];
