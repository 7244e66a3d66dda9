/**
 * Cases whose wish is not met, by tool: the reason, and the cases by their ids. One that fails and is not listed fails the test, and so
 * does a listed one that holds.
 */
export const knownReports: Readonly<Record<string, readonly { reason: string; ids: readonly string[] }[]>> = {
  "byte-size-converter": [
    {
      reason:
        "Without a unit the result is in the largest one that fits, as it is for 1234567: 1.23 MB, not 1,234,567 bytes.",
      ids: ["byte-size-converter/byte-comma"],
    },
  ],
  "hash-generator": [
    { reason: "CRC-32 is no digest: it comes with checksums.", ids: ["hash-generator/slack-ts-webhook"] },
  ],
  "openapi-validator": [
    {
      reason:
        "An example should fit its schema, and need not (OpenAPI 3.0.3, Parameter Object and Media Type Object): a warning, and an error only with examples set to error.",
      ids: ["openapi-validator/redocly-1582", "openapi-validator/spectral-321"],
    },
  ],
  "regex-tester": [
    {
      reason:
        "Neither RE2 nor V8 has possessive quantifiers, and a greedy one matches other texts, so that the pattern is refused.",
      ids: ["regex-tester/regex-possessive"],
    },
  ],
  "string-unescaper": [
    {
      reason: "\\N{…} needs the table of Unicode names, which comes with unicode-inspector.",
      ids: ["string-unescaper/unescape-python"],
    },
  ],
  "yaml-formatter": [
    {
      reason:
        "The case wants an escape in double quotes decoded. An escape is text of the source: decoded, it can be invisible, or another value for readers of YAML 1.1.",
      ids: ["yaml-formatter/emoji"],
    },
    {
      reason:
        "Items of a list stay as deep as the document has them, so that a repository of either style passes; the case wants them below their key, which is sequences: indented.",
      ids: ["yaml-formatter/block-comment-in-seq", "yaml-formatter/pre-commit-211"],
    },
  ],
};
