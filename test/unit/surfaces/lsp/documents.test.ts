import { expect, test } from "vitest";
import { createDocuments } from "../../../../src/surfaces/lsp/documents.ts";

const uriOf = (index: number): string => `file:///a${index}.json`;
const opening = (index: number, text: string): object => ({
  textDocument: { uri: uriOf(index), version: 1, text },
});

test("the text of a document that is too long, or one too many for all, is not kept, until there is room", () => {
  const documents = createDocuments("utf-16");
  const large = "x".repeat(32 * 1024 * 1024);
  for (let index = 0; index < 4; index++)
    expect(documents.open({ ...opening(index, large) }).document).toBeDefined();
  expect(documents.open({ ...opening(4, "a") }).document).toBeUndefined();
  documents.close({ textDocument: { uri: uriOf(0) } });
  expect(documents.open({ ...opening(4, "a") }).document?.text).toBe("a");
  expect(documents.open({ ...opening(5, `${large}x`) }).document).toBeUndefined();
  // A whole text makes it known again.
  const change = { textDocument: { uri: uriOf(5), version: 2 }, contentChanges: [{ text: "b" }] };
  expect(documents.change(change).document?.text).toBe("b");
});

test("at most 2,000 documents are open, and a change stops the check of the text before", () => {
  const documents = createDocuments("utf-16");
  for (let index = 0; index < 2000; index++) documents.open({ ...opening(index, "") });
  expect(() => documents.open({ ...opening(2000, "") })).toThrow("More than 2000 documents are open.");
  const before = documents.get(uriOf(7));
  documents.change({ textDocument: { uri: uriOf(7), version: 2 }, contentChanges: [{ text: "a" }] });
  expect(before?.control.signal.aborted).toBe(true);
  expect(documents.get(uriOf(7))?.control.signal.aborted).toBe(false);
  documents.close({ textDocument: { uri: uriOf(7) } });
  expect(documents.all()).toHaveLength(1999);
  expect(() => documents.change({ textDocument: { uri: uriOf(7), version: 3 }, contentChanges: [] })).toThrow(
    /not open/,
  );
});
