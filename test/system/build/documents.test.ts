import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { toDocumentTypes } from "../../../config/build/documents.ts";
import { makePageTypes, readPageTypes } from "../../../config/page-types.ts";

const root = new URL("../../..", import.meta.url).pathname;
const schema = join(root, "docs/schema.graphql");

/** Returns the types of documents in a page of their own. */
function typesOf(...documents: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = documents.map((document, index) => `const query${index} = gql(\`${document}\`);\n`).join("");
  writeFileSync(join(folder, "page.tsx"), `// A page.\n${page}`);
  return [...toDocumentTypes(folder, schema).values()].join("");
}

test("the documents of the pages are valid, and the declaration files have their types (make docs writes them)", () => {
  expect(readPageTypes()).toEqual(makePageTypes());
});

test("the documents of a folder have their types there, and the names of all are in the folder of the pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "settings"));
  writeFileSync(join(folder, "page.ts"), "gql(`query A { viewer { operator } }`);\n");
  writeFileSync(join(folder, "settings/page.ts"), "gql(`query B { viewer { account { plan } } }`);\n");
  const types = toDocumentTypes(folder, schema);
  expect([...types.keys()].toSorted()).toEqual(["documents.d.ts", "schema.d.ts", "settings/documents.d.ts"]);
  expect(types.get("documents.d.ts")).toContain(
    'import type * as settings from "./settings/documents.d.ts";',
  );
  expect(types.get("documents.d.ts")).toContain(
    "export interface Answers extends settings.Answers { A: { viewer: { operator: boolean } } }",
  );
  expect(types.get("settings/documents.d.ts")).toContain('import type * as schema from "../schema.d.ts";');
  expect(types.get("settings/documents.d.ts")).toContain(
    "export interface Answers { B: { viewer: { account: { plan: schema.Plan } | null } } }",
  );
});

test.each([
  ["a field that does not exist", "query A { viewer { shoeSize } }", 'Cannot query field "shoeSize"'],
  ["a field of a subscription", "subscription A { usage { shoeSize } }", 'Cannot query field "shoeSize"'],
  ["an argument of another type", "query A { usage(by: 3) { since } }", 'Enum "UsageGroup"'],
  ["a syntax error", "query A {", "Syntax Error"],
  ["an operation without a name", "{ viewer { operator } }", "The operation has no name."],
  [
    "a fragment",
    "query A { viewer { ...V } } fragment V on Viewer { operator }",
    "The document is not one operation.",
  ],
  [
    "a field of one of several types",
    "query A { viewer { ... on Viewer { operator } } }",
    "Only fields of one object type can be selected here.",
  ],
])("%s fails the check and the build, with its place", (_, document, message) => {
  expect(() => typesOf(document)).toThrow(`page.tsx:2: ${message}`);
});

test("a document in plain quotes is checked, too", () => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "page.ts"), 'const query = gql("query A { viewer { shoeSize } }");\n');
  expect(() => toDocumentTypes(folder, schema)).toThrow("page.ts:1: Cannot query field");
});

test("two operations of one name fail", () => {
  const document = "query A { viewer { operator } }";
  expect(() => typesOf(document, document)).toThrow("page.tsx:3: There is another A.");
});

test("an answer has the fields that were asked for, by their aliases, and null where the schema allows it", () => {
  const types = typesOf("query A { mine: viewer { operator account { name plan } } keys { id warnings } }");
  expect(types).toContain('export type Plan = "FREE" | "PRO" | "TEAM";');
  expect(types).toContain("mine: { operator: boolean; account: { name: string; plan: schema.Plan } | null }");
  expect(types).toContain("keys: { id: string; warnings: schema.KeyWarning[] }[] | null }");
});

test("a variable may be left out where the schema has a default or allows null", () => {
  const types = typesOf(
    "mutation A($id: ID!, $grace: String) { rotateWebhookSecret(id: $id, grace: $grace) { secret } }",
    "subscription B { usage { used } }",
  );
  expect(types).toContain("A: { id: string; grace?: string | null | undefined }");
  expect(types).toContain("B: { usage: { used: number } } }");
  expect(types).toContain("B: Record<string, never> }");
});
