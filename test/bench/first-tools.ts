import type { ToolList } from "../../src/catalog/catalog.ts";

/** The eight tools of the first release, used in place of src/tools/index.ts. */
export const tools: ToolList = {
  crypto: { "hash-generator": () => import("../../src/tools/crypto/hash-generator.ts") },
  encoding: {
    "base64-decoder": () => import("../../src/tools/encoding/base64-decoder.ts"),
    "base64-encoder": () => import("../../src/tools/encoding/base64-encoder.ts"),
  },
  generate: { "uuid-generator": () => import("../../src/tools/generate/uuid-generator.ts") },
  json: {
    "json-formatter": () => import("../../src/tools/json/json-formatter.ts"),
    "json-minifier": () => import("../../src/tools/json/json-minifier.ts"),
    "json-validator": () => import("../../src/tools/json/json-validator.ts"),
  },
  regex: { "regex-tester": () => import("../../src/tools/regex/regex-tester.ts") },
};
