import type { Kind } from "../lib/detect/kinds.ts";

/** How a tool is called with an input. */
export interface Use {
  readonly tool: string;
  /** The field that takes the input, `data` of most tools; null for a tool that makes such inputs. */
  readonly field: string | null;
  /** Options that the input needs. */
  readonly with: Readonly<Record<string, string | number | boolean>>;
  /** Fields that the tool requires for such inputs only. */
  readonly needs?: readonly string[];
  /** Calls before it that make the input what it takes. */
  readonly after?: readonly { readonly tool: string; readonly with: Use["with"] }[];
}

const use = (tool: string, options: Use["with"] = {}): Use => ({ tool, field: "data", with: options });
const as = (field: string, tool: string, options: Use["with"] = {}): Use => ({ tool, field, with: options });
const generate = (tool: string): Use => ({ tool, field: null, with: {} });
/** Tools that take the input as it is. */
const list = (names: string): readonly Use[] => names.split(" ").map((name) => use(name));

const withScheme = { tool: "text-replacer", with: { find: "^", replace: "https://", mode: "re2" } };
const withoutScheme: Use = { ...use("url-parser"), after: [withScheme] };

const onLines = { tool: "text-replacer", with: { find: "[,;\\s]+", replace: "\n", mode: "re2" } };
/** Networks with commas between them. */
const listed: Use = { ...use("ip-range-to-cidr"), after: [onLines] };

const validateJson = use("json-validator");
const unescape = use("string-unescaper", { language: "json" });
const json5 = { dialect: "json5" };
const fromIni = use("data-converter", { from: "ini", to: "json" });
const sorted = use("semver-comparer", { op: "sort", loose: true });
const plainSpaces = use("whitespace-normalizer", { plainSpaces: true });
const checksum = as("expected", "checksum-verifier");

/** For each kind of input the tools that fit, the best first. */
export const toolsOfKinds: Readonly<Record<Kind, readonly Use[]>> = {
  "access-log": list("text-redactor line-filter line-sorter"),
  base64: list("base64-decoder"),
  "base64-inside": list("base64-decoder"),
  binary: list("hash-generator base64-encoder hex-encoder checksum-verifier"),
  caption: [use("badge-generator")],
  certificate: list("x509-parser certificate-expiry-checker certificate-key-matcher"),
  "certificate-and-key": list(
    "certificate-key-matcher x509-parser secret-scanner certificate-expiry-checker",
  ),
  "certificate-base64": list("x509-parser certificate-expiry-checker base64-decoder"),
  "certificate-request": list("certificate-key-matcher"),
  checksums: [checksum],
  codeowners: [as("pattern", "glob-tester", { dialect: "codeowners" })],
  "commit-message": list("commit-message-linter"),
  credentials: list("text-redactor secret-scanner"),
  cron: list("cron-parser"),
  csv: [
    use("csv-to-json", { delimiter: "auto" }),
    use("csv-validator", { delimiter: "auto" }),
    use("data-converter", { from: "csv", to: "json" }),
  ],
  "csv-broken": [
    use("csv-validator", { delimiter: "auto" }),
    use("csv-to-json", { delimiter: "auto", quotes: "lenient", ragged: "keep" }),
  ],
  "csv-delimited": [use("csv-to-json", { delimiter: "auto" }), use("csv-validator", { delimiter: "auto" })],
  "deceptive-text": [use("unicode-linter"), plainSpaces],
  diff: list("text-differ"),
  digest: [checksum, use("hash-generator"), use("hex-decoder", { outputEncoding: "base64" })],
  "digest-base64": [checksum, use("base64-decoder", { outputEncoding: "hex" })],
  env: list("env-validator env-to-json env-comparer"),
  "env-broken": list("env-validator env-to-json"),
  "env-example": list("env-comparer env-validator env-to-json"),
  "env-shell": list("env-to-json env-validator template-renderer"),
  envsubst: [use("template-renderer", { syntax: "envsubst" })],
  escaped: [unescape],
  gitignore: [as("pattern", "glob-tester", { dialect: "gitignore" })],
  glob: [as("pattern", "glob-tester")],
  graphql: list("graphql-validator"),
  "graphql-operations": [{ ...use("graphql-validator"), needs: ["schema"] }],
  headers: list("text-redactor secret-scanner"),
  hex: [use("hex-decoder"), use("number-base-converter", { from: 16 })],
  "hex-dump": list("hex-decoder"),
  "hex-separated": [use("hex-decoder")],
  html: list("html-entity-encoder xml-formatter"),
  "html-entities": list("html-entity-decoder html-entity-encoder"),
  "html-resource": list("sri-generator xml-formatter html-entity-encoder"),
  identifier: list("case-converter"),
  ini: [fromIni],
  integrity: [use("sri-generator"), checksum],
  "ip-address": [use("cidr-calculator"), use("cidr-matcher"), use("ip-range-to-cidr")],
  "ip-addresses": [
    use("cidr-matcher"),
    use("ip-range-to-cidr"),
    use("line-sorter", { natural: true, unique: true }),
  ],
  "ip-ranges": list("ip-range-to-cidr"),
  json: list("json-formatter json-query json-validator"),
  "json-broken": [validateJson, use("json-formatter", json5)],
  "json-dictionary": list("json-sorter json-formatter json-to-csv"),
  "json-duplicates": list("json-validator json-formatter"),
  "json-list": list("json-query json-to-ndjson json-to-csv"),
  "json-manifest": list("json-formatter json-sorter json-query"),
  "json-merge-patch": [as("patch", "json-patcher")],
  "json-pair": list("json-differ ndjson-validator ndjson-to-json"),
  "json-parameters": list("json-to-query json-formatter"),
  "json-patch": [as("patch", "json-patcher"), use("json-formatter"), use("json-differ")],
  "json-path": [as("query", "json-query", { language: "jsonpath" })],
  "json-personal": list("json-redactor json-formatter text-redactor"),
  "json-records": list("json-to-csv json-formatter json-to-ndjson"),
  "json-rows": list("json-to-csv json-formatter json-to-ndjson"),
  "json-schema": [as("schema", "json-schema-validator"), use("json-formatter")],
  "json-schema-yaml": [as("schema", "json-schema-validator"), use("yaml-to-json")],
  "json-secrets": list("json-redactor json-formatter secret-scanner text-redactor"),
  "json-settings": list("json-to-yaml json-to-toml json-formatter"),
  "json-signed": list("json-canonicalizer json-formatter json-sorter"),
  "json-spacious": list("json-minifier json-formatter json-query"),
  "json-string": [unescape],
  "json-to-toml-file": list("json-to-toml json-formatter json-to-yaml"),
  "json-to-yaml-file": list("json-to-yaml json-formatter json-query"),
  "json-variables": list("json-to-env json-formatter json-sorter"),
  "json-xml": list("json-to-xml json-formatter json-query"),
  json5: [
    use("json-validator", json5),
    use("json-formatter", json5),
    use("data-converter", { from: "json5", to: "json" }),
  ],
  jsonc: [
    use("json-formatter", { dialect: "jsonc" }),
    use("json-validator", { dialect: "jsonc" }),
    use("json-minifier", { dialect: "jsonc" }),
    use("json-sorter", { dialect: "jsonc" }),
  ],
  jwk: [as("key", "jwt-verifier"), use("json-formatter"), as("key", "jwt-generator")],
  jwt: list("jwt-decoder jwt-verifier"),
  "jwt-wrapped": list("jwt-decoder jwt-verifier"),
  "jwt-claims": list("jwt-generator json-formatter timestamp-converter"),
  lines: list("line-sorter line-filter text-replacer"),
  "local-time": list("timezone-converter timestamp-converter"),
  log: list("line-filter text-redactor"),
  "mac-address": [use("hex-decoder"), use("text-redactor"), use("case-converter", { to: "lower" })],
  mustache: list("template-renderer"),
  nanoid: [generate("nanoid-generator")],
  ndjson: list("ndjson-to-json ndjson-validator line-filter"),
  "ndjson-broken": [
    use("ndjson-validator"),
    use("ndjson-to-json", { skipInvalid: true }),
    use("line-filter"),
  ],
  network: list("cidr-calculator cidr-matcher ip-range-to-cidr"),
  networks: [use("ip-range-to-cidr"), as("cidrs", "cidr-matcher"), use("cidr-calculator"), listed],
  number: list("number-base-converter byte-size-converter timestamp-converter"),
  "number-binary": [use("number-base-converter", { from: 2 })],
  "number-list": [
    use("line-sorter", { numeric: true }),
    use("number-base-converter"),
    use("timestamp-converter"),
  ],
  "number-prefixed": list("number-base-converter hex-decoder"),
  "object-id": list("timestamp-converter hex-decoder"),
  "openapi-json": list("openapi-validator json-formatter json-query"),
  "openapi-yaml": list("openapi-validator yaml-formatter yaml-to-json"),
  password: [generate("password-generator"), use("hash-generator")],
  path: list("glob-tester url-encoder case-converter"),
  "path-list": list("glob-tester line-sorter line-filter"),
  "pem-escaped": [unescape],
  percent: list("url-decoder"),
  "personal-data": list("text-redactor"),
  picture: list("base64-encoder hash-generator hex-encoder"),
  "private-key": [as("key", "certificate-key-matcher"), use("secret-scanner"), as("key", "jwt-generator")],
  properties: [use("data-converter", { from: "properties", to: "json" })],
  prose: list("text-replacer case-converter hash-generator"),
  "public-key": [as("key", "jwt-verifier"), as("key", "certificate-key-matcher")],
  "qr-text": list("qr-code-generator"),
  query: list("query-to-json url-decoder"),
  "query-brackets": [use("query-to-json", { arrays: "bracket" }), use("url-decoder")],
  quotable: list("string-escaper url-encoder html-entity-encoder"),
  "regular-expression": [as("pattern", "regex-tester")],
  script: list("sri-generator hash-generator"),
  secret: list("secret-scanner text-redactor"),
  "signed-text": list("hmac-generator hash-generator"),
  "signed-webhook": list("hmac-generator webhook-signature-verifier webhook-signature-generator"),
  size: list("byte-size-converter"),
  sizes: list("byte-size-converter line-sorter"),
  "source-code": list("secret-scanner unicode-linter whitespace-normalizer"),
  "special-characters": list("url-encoder html-entity-encoder string-escaper"),
  sql: list("sql-formatter"),
  "ssh-key": list("ssh-key-parser"),
  "ssh-private-key": list("secret-scanner ssh-key-parser"),
  "style-sheet": list("sri-generator hash-generator"),
  "terminal-escapes": [use("ansi-stripper"), unescape],
  "terminal-output": list("ansi-stripper"),
  text: list("hash-generator base64-encoder qr-code-generator hmac-generator"),
  time: list("timestamp-converter timezone-converter"),
  times: list("timestamp-converter line-sorter timezone-converter"),
  timestamp: list("timestamp-converter number-base-converter"),
  token: [generate("token-generator"), use("hash-generator")],
  toml: list("toml-to-json toml-validator data-converter"),
  "toml-broken": list("toml-validator toml-to-json"),
  tsv: [
    use("csv-to-json", { delimiter: "tab" }),
    use("csv-validator", { delimiter: "tab" }),
    use("data-converter", { from: "tsv", to: "json" }),
  ],
  ulid: [use("timestamp-converter"), generate("ulid-generator")],
  "untidy-text": list("whitespace-normalizer"),
  "unusual-space": [plainSpaces, use("unicode-linter")],
  url: list("url-parser qr-code-generator url-encoder"),
  "url-credentials": list("url-parser text-redactor"),
  "url-encoded": list("url-parser url-decoder query-to-json"),
  "url-international": list("url-parser url-encoder"),
  "url-query": list("url-parser query-to-json url-decoder"),
  "url-relative": [use("url-parser", { base: "http://localhost" }), use("query-to-json"), use("url-decoder")],
  "url-schemeless": [withoutScheme, use("url-encoder")],
  urls: list("url-parser line-sorter line-filter"),
  "utf-16": list("hex-encoder base64-encoder whitespace-normalizer"),
  uuid: [generate("uuid-generator"), use("timestamp-converter")],
  "uuid-list": [generate("uuid-generator"), use("timestamp-converter"), use("line-sorter")],
  "uuid-timed": [use("timestamp-converter"), generate("uuid-generator")],
  version: [use("semver-comparer", { op: "parse" })],
  "version-range": [as("range", "semver-comparer", { op: "satisfies" })],
  versions: [sorted, use("line-sorter", { natural: true }), use("line-filter")],
  "webhook-body": list("webhook-signature-verifier webhook-signature-generator json-formatter"),
  "webhook-headers": [as("headers", "webhook-signature-verifier")],
  "webhook-secret": [as("secret", "webhook-signature-verifier"), as("secret", "webhook-signature-generator")],
  xml: list("xml-formatter xml-to-json xml-validator"),
  "xml-broken": list("xml-validator xml-formatter"),
  yaml: list("yaml-formatter yaml-validator yaml-to-json"),
  "yaml-broken": list("yaml-validator yaml-formatter"),
  "yaml-secret": list("yaml-to-json yaml-validator"),
  "yaml-tabs": list("yaml-validator whitespace-normalizer"),
  "zoned-time": list("timezone-converter"),
};

/** The fields besides the input's that a call cannot do without. */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  "case-converter": ["to"],
  "certificate-key-matcher": ["key"],
  "checksum-verifier": ["expected"],
  "cidr-matcher": ["cidrs"],
  "data-converter": ["from", "to"],
  "env-comparer": ["other"],
  "glob-tester": ["pattern"],
  "hmac-generator": ["key"],
  "json-differ": ["other"],
  "json-patcher": ["patch"],
  "json-query": ["query"],
  "json-schema-validator": ["schema"],
  "jwt-generator": ["key", "algorithm"],
  "jwt-verifier": ["key", "algorithms"],
  "line-filter": ["pattern"],
  "number-base-converter": ["to"],
  "regex-tester": ["pattern"],
  "string-escaper": ["language"],
  "string-unescaper": ["language"],
  "template-renderer": ["variables"],
  "text-differ": ["other"],
  "text-replacer": ["find"],
  "timezone-converter": ["from", "to"],
  "webhook-signature-generator": ["provider", "secret"],
  "webhook-signature-verifier": ["provider", "secret", "headers"],
};
