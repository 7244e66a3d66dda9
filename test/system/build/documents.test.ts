import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { validateDocuments } from "../../../config/build/documents.ts";

const root = new URL("../../..", import.meta.url).pathname;
const schema = join(root, "docs/schema.graphql");

test("every document of the pages is valid", () => {
  expect(() => validateDocuments(join(root, "src/surfaces/web/page"), schema)).not.toThrow();
});

test.each([
  ["a field that does not exist", "query { viewer { shoeSize } }", 'Cannot query field "shoeSize"'],
  ["an argument of another type", "query { usage(by: 3) { since } }", 'Enum "UsageGroup"'],
  ["a syntax error", "query {", "Syntax Error"],
])("%s fails the build, with its place", (_, document, message) => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "page.tsx"), `// A page.\nconst query = gql\`${document}\`;\n`);
  expect(() => validateDocuments(folder, schema)).toThrow(`page.tsx:2: ${message}`);
});
