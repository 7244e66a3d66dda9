import type { Entry } from "./mapping.ts";

const notYet = (what: string): Entry => ({ none: `${what}: not in the catalogue yet` });
const never = (what: string): Entry => ({ none: `${what}: outside of the catalogue` });

/** Slugs for which we have no tool. */
export const noTool: Readonly<Record<string, Entry>> = {
  "argon2-verify": notYet("password hashes"),
  "base32-decode": notYet("Base32"),
  "base32-encode": notYet("Base32"),
  "base85-decode": notYet("Base85"),
  "base85-encode": notYet("Base85"),
  "charcode-decode": notYet("text from code points"),
  "color-convert": notYet("CSS colours"),
  crc: notYet("CRC"),
  "csr-decode": notYet("certificate requests"),
  "css-formatter": notYet("CSS"),
  "css-minifier": notYet("CSS"),
  "extract-email": notYet("finding e-mail addresses"),
  // Its tests read the suite: what counts is the syntax tree, which no row can compare.
  "graphql-formatter": { none: "compared by its syntax tree in the tests of the tool" },
  "graphql-minifier": notYet("GraphQL printing"),
  hotp: notYet("one-time passwords"),
  totp: notYet("one-time passwords"),
  "js-formatter": notYet("JavaScript"),
  "js-minifier": notYet("JavaScript"),
  "jwk-to-pem": notYet("conversion of keys"),
  "pem-to-jwk": notYet("conversion of keys"),
  luhn: notYet("Luhn's check digit"),
  "markdown-to-html": notYet("Markdown"),
  pbkdf2: notYet("password hashes"),
  "remove-diacritics": notYet("Unicode normalisation"),
  scrypt: notYet("password hashes"),
  "text-patch": notYet("applying a unified diff"),
  "unicode-unescape": { none: "%u and U+ are the escapes of no language that string-unescaper has" },
  "unicode-normalize": notYet("Unicode normalisation"),
  "uuid-info": notYet("the parts of a UUID"),

  atbash: never("a classical cipher"),
  "base45-decode": never("Base45"),
  "base45-encode": never("Base45"),
  "base62-decode": never("Base62 of bytes"),
  "base62-encode": never("Base62 of bytes"),
  checksum: never("Fletcher and XOR checksums"),
  "decimal-decode": never("bytes as decimals"),
  head: never("the first lines, which is head(1)"),
  levenshtein: never("edit distance"),
  "mime-decode": never("MIME encoded words"),
  "octal-decode": never("bytes as octals"),
  "php-serialize": never("PHP's serialisation"),
  "php-unserialize": never("PHP's serialisation"),
  "rison-encode": never("Rison"),
  rot13: never("a classical cipher"),
  tail: never("the last lines, which is tail(1)"),
  "text-integer": never("text as an integer"),
  "text-reverse": never("reversing text"),
  "text-truncate": never("cutting text"),
  vigenere: never("a classical cipher"),

  "cyberchef/ip-convert": {
    none: "an address as one octal or decimal number is refused: readers disagree on it",
  },
  "json-minifier(sortKeys)": {
    none: "json-minifier keeps the order; json-canonicalizer is the slug that sorts",
  },
};
