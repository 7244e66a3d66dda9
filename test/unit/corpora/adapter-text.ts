import type { Entry } from "./mapping.ts";

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** All of them, the hardest case: the tool has to find from the key what it is for. */
const everyAlgorithm = ["HS", "RS", "PS", "ES"].flatMap((family) =>
  [256, 384, 512].map((size) => family + size),
);

const semver = (op: string, fields: Record<string, string> = {}): Entry => ({
  tool: "semver-comparer",
  fields,
  // Options of semver-bump.
  values: { identifierBase: { false: "none" } },
  with: { op },
});

/** Encodings, digests, tokens, text, numbers, time, network. */
export const textSlugs: Readonly<Record<string, Entry>> = {
  "base64-encode": {
    tool: "base64-encoder",
    // CyberChef writes bytes as text of characters up to U+00FF.
    input: (input, { tags }) =>
      tags?.includes("latin1-input") === true
        ? {
            ...input,
            data: Buffer.from(String(input["data"]), "latin1").toString("hex"),
            dataEncoding: "hex",
          }
        : input,
  },
  "base64-decode": { tool: "base64-decoder" },
  "base64-validate": { tool: "base64-decoder", verdict: "answer", with: { strict: true } },
  "hex-encode": {
    tool: "hex-encoder",
    fields: { delimiter: "separator", bytesPerLine: null },
    values: { delimiter: { Colon: ":", Space: " ", None: "" } },
    lacks: { "delimiter=Percent": "a prefix of each byte; url-encoder is the slug for %" },
  },
  "hex-decode": { tool: "hex-decoder" },
  "url-encode": { tool: "url-encoder", with: { mode: "rfc3986" } },
  "url-decode": { tool: "url-decoder" },
  "html-entities-decode": { tool: "html-entity-decoder" },
  "html-entities-encode": {
    tool: "html-entity-encoder",
    values: { mode: { "Named entities": "named", "Numeric entities": "numeric", "Hex entities": "hex" } },
  },
  "string-unescape": { tool: "string-unescaper", with: { language: "js" } },
  "case-convert": {
    tool: "case-converter",
    with: { accents: "strip", punctuation: "remove", numbers: "separate" },
    lacks: { smart: "rewrites the names inside of a program, not a name" },
  },

  hash: {
    tool: "hash-generator",
    fields: { encoding: "dataEncoding", encodingOut: "outputEncoding", length: "outputLength" },
    values: { encodingOut: { Hex: "hex" } },
    lacks: {
      "algorithm=blake2b-256": "BLAKE2b with 32 bytes; the catalogue has blake2b512",
      "algorithm=blake2s-128": "BLAKE2s with 16 bytes; the catalogue has blake2s256",
      "algorithm=blake3": "BLAKE3: not in the catalogue yet",
      "algorithm=murmur3": "MurmurHash is no digest",
      "algorithm=ripemd320": "RIPEMD-320",
    },
    // Theirs is in bits.
    input: ({ outputLength, ...input }) => ({
      ...input,
      ...(outputLength !== undefined && { outputLength: Number(outputLength) / 8 }),
    }),
  },
  hmac: { tool: "hmac-generator", fields: { encoding: "dataEncoding" } },
  "hmac-verify": {
    tool: "hmac-generator",
    fields: { encoding: "dataEncoding", signature: null },
    answer: (text, { input }) => String(text === input["signature"]),
  },
  "jwt-verify": {
    tool: "jwt-verifier",
    fields: { secret: "key", algorithm: null },
    input: (input, row) => ({
      ...input,
      algorithms: row.input["algorithm"] === undefined ? everyAlgorithm : [row.input["algorithm"]],
      // The suites test the signature: some payloads are not claims, others expired years ago.
      payload: "any",
    }),
    verdict: "report",
  },
  "uuid-generate": {
    tool: "uuid-generator",
    input: ({ version, ...input }) => ({ ...input, version: String(version) }),
  },
  "ssh-key-parse": {
    tool: "ssh-key-parser",
    lacks: { data: "the numbers of the key; ours reports type, size and fingerprints" },
  },
  "x509-public-key": { tool: "x509-parser" },
  "x509-decode": { tool: "x509-parser", answer: toOpenssl },

  "regex-test": {
    tool: "regex-tester",
    // Rows that would never end use the linear engine; the others expect V8's semantics.
    input: (input, { expect }) => ({ ...input, engine: expect["either"] === true ? "re2" : "js" }),
  },
  "cyberchef/regex-test": {
    tool: "regex-tester",
    fields: { format: null },
    answer: (text) => (json(text)["matches"] as { match: string }[]).map(({ match }) => match).join("\n"),
  },
  "base-convert": {
    tool: "number-base-converter",
    fields: { grouped: null },
    input: ({ data, from, ...input }) => ({
      ...input,
      from: String(from),
      data: String(data).replaceAll(/[ ,](?=[\da-f])/gi, ""),
    }),
    // Numbers are read and written without grouping characters or padding zeros.
    expected: ({ resultIgnoreCase, ...rest }) => ({
      ...rest,
      ...(resultIgnoreCase !== undefined && {
        resultIgnoreCase: String(resultIgnoreCase)
          .replaceAll(/[ ,]/g, "")
          .replace(/^0+(?=.)/, ""),
      }),
    }),
  },
  "semver-satisfies": semver("satisfies", { version: "data" }),
  "semver-compare": semver("compare", { a: "data", b: "other" }),
  "semver-bump": semver("bump", { version: "data" }),
  "semver-parse": semver("parse"),
  "semver-range": semver("range"),

  "timestamp-to-date": {
    tool: "timestamp-converter",
    fields: { timezone: "timeZone" },
    // The name that Windows uses.
    values: { timezone: { "Pacific Standard Time": "America/Los_Angeles" } },
    with: { to: "iso" },
  },
  // A ULID is a timestamp too.
  "ulid-info": {
    tool: "timestamp-converter",
    with: { to: "unix-ms" },
    answer: (text) => `{"timestampMs":${text}}`,
  },
  "date-to-timestamp": {
    tool: "timestamp-converter",
    fields: { unit: "to" },
    values: { unit: { s: "unix", ms: "unix-ms" } },
  },
  "cron-next": {
    tool: "cron-parser",
    fields: { timezone: "timeZone" },
    input: (input) => ({ ...input, seconds: String(input["data"]).split(" ").length === 6 }),
  },
  "cron-describe": {
    tool: "cron-parser",
    fields: {
      use24HourTimeFormat: "clock",
      logicalAndDayFields: "days",
      dayOfWeekStartIndexZero: "dialect",
      trimHoursLeadingZero: null,
    },
    values: {
      use24HourTimeFormat: { true: "24h", false: "12h" },
      logicalAndDayFields: { true: "and", false: "or" },
      dayOfWeekStartIndexZero: { true: "unix", false: "quartz" },
    },
    lacks: {
      monthStartIndexZero: "months are counted from 1 in every cron",
      throwExceptionOnParseError: "an error is a refusal, never a description",
    },
    // A year in the past has no next run.
    with: { from: "2010-01-01T00:00:00Z" },
    input: toCronDialect,
    answer: (text) => String(json(text)["description"]),
  },
  "url-parse": { tool: "url-parser" },
  // As the suite's own browser tests do: the host of a URL is its domain, converted.
  "idn-to-ascii": {
    tool: "url-parser",
    input: ({ data }) => ({ data: `https://${String(data)}/x` }),
    answer: (text) => String(json(text)["hostname"]),
  },
  "ip-info": { tool: "cidr-calculator" },
  "ip-address/cidr": { tool: "cidr-calculator" },
  "cyberchef/cidr": {
    tool: "cidr-calculator",
    fields: { includeNetworkInfo: null, enumerate: null, allowLarge: null },
    answer: toNetworkInfo,
  },
  "ip-convert": {
    tool: "cidr-calculator",
    fields: { to: null },
    answer: (text) => String(json(text)["address"]),
  },
};

/** Six fields begin with seconds; the dialect that counts days from 1 needs them, and a `?` for the other day. */
function toCronDialect({ data, dialect, ...input }: Record<string, unknown>): Record<string, unknown> {
  const fields = String(data).trim().split(/\s+/);
  if (dialect === "quartz") {
    if (fields.length === 5) fields.unshift("0");
    if (!fields.includes("?")) fields[3] = "?";
    return { ...input, dialect, data: fields.join(" ") };
  }
  const seconds = fields.length === 7 || (fields.length === 6 && !/\d{4}/.test(fields[5]!));
  return { ...input, data, seconds };
}

/** The lines of `openssl x509 -subject -issuer -serial -dates -fingerprint`. */
function toOpenssl(text: string): string {
  const [facts = {}] = json(text)["certificates"] as Record<string, string>[];
  const name = (value = ""): string => value.replaceAll(/(?<=^|, )(\w+)=/g, "$1 = ");
  const date = (value = ""): string => {
    const [, day, month, year, time] =
      /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(value).toUTCString()) ?? [];
    return `${month} ${String(Number(day)).padStart(2)} ${time} ${year} GMT`;
  };
  return [
    `subject=${name(facts["subject"])}`,
    `issuer=${name(facts["issuer"])}`,
    `serial=${String(facts["serialNumber"]).replaceAll(":", "")}`,
    `notBefore=${date(facts["notBefore"])}`,
    `notAfter=${date(facts["notAfter"])}`,
    `sha1 Fingerprint=${facts["fingerprintSha1"]}`,
  ].join("\n");
}

/** A network in the suite's terms, with its addresses. */
function toNetworkInfo(text: string): string {
  const { network, prefix, netmask, first, last, addresses } = json(text) as Record<string, string>;
  const [, start = "", number = ""] = /^(.*\.)(\d+)$/.exec(first ?? "") ?? [];
  const list = Array.from({ length: Number(addresses) }, (_, index) => `${start}${Number(number) + index}`);
  return [
    `Network: ${network}`,
    `CIDR: ${prefix}`,
    `Mask: ${netmask}`,
    `Range: ${first} - ${last}`,
    `Total addresses in range: ${addresses}\n`,
    ...list,
  ].join("\n");
}
