import { expect, test } from "vitest";
import { missingText } from "../../../config/build/licences.ts";

test.each([
  ["@bufbuild/cel", "Apache-2.0", [/^Copyright 2024-2026 Buf Technologies/, /Apache License\s+Version 2\.0/]],
  ["@bufbuild/cel-spec", "Apache-2.0", [/TERMS AND CONDITIONS FOR USE/]],
  [
    "@bufbuild/protobuf",
    "(Apache-2.0 AND BSD-3-Clause)",
    [/Apache License/, /Neither the name of Google Inc/],
  ],
  ["toggle-selection", "MIT", [/^MIT License\n\nCopyright \(c\) sudodoki/]],
])("%s gets the text of its licence, which it lacks", (name, license, parts) => {
  for (const part of parts) expect(missingText(name, license)).toMatch(part);
});

test("a package that nobody looked at gets none", () => {
  expect(missingText("left-pad", "MIT")).toBeUndefined();
});
