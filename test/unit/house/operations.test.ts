import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { operationsPage } from "../../../config/operations-page.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import type { Operation } from "../../../src/operations/operation.ts";

const operations = await loadOperations();

const root = new URL("../../../", import.meta.url).pathname;

describe("the operations", () => {
  test("are the files of src/operations, each under its name", () => {
    const folder = join(root, "src/operations");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.includes("/") && !/\/(?:view|options)\.ts$/.test(path))
      .map((path) => path.replace(/\.ts$/, ""));
    const names = operations.map((operation) => operation.name);
    const listed = names.map((each) => fileOf[each] ?? toPath(each));
    expect(listed.toSorted()).toEqual(files.toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  /** `keys.revokeAll` is keys/revoke-all; these are acts without a subject in their names. */
  const fileOf: Partial<Record<string, string>> = { login: "sessions/login", usage: "usage/now" };
  const toPath = (each: string): string =>
    each.replace(".", "/").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  test("docs/administration.md lists them", () => {
    const kept = readFileSync(join(root, "docs/administration.md"), "utf8");
    expect(kept === operationsPage(operations), "docs/administration.md is out of date: run make docs").toBe(
      true,
    );
  });

  test.each(operations.filter((operation: Operation) => operation.byHand?.field !== undefined))(
    "the field that is written by hand for $name exists",
    ({ byHand }: Operation) => {
      const fields = ["Query", "Mutation"].flatMap((type) => {
        const [, body = ""] = new RegExp(`^type ${type} \\{\\n(.*?)^\\}`, "ms").exec(schemaText) ?? [];
        return Array.from(body.matchAll(/^ {2}(\w+)[(:]/gm), ([, each]) => each);
      });
      expect(fields).toContain(byHand?.field);
    },
  );

  const schemaText = readFileSync(join(root, "docs/schema.graphql"), "utf8");

  test("what an option and an argument of GraphQL name are fields of the input", () => {
    for (const { name: operation, input, command, graphql, subject } of operations as readonly Operation[]) {
      const named = [command?.options, graphql?.args, graphql?.input?.fields].flatMap((each) =>
        Object.keys(each ?? {}),
      );
      if (subject !== undefined) named.push(subject.field);
      for (const each of named) expect(input.shape, operation).toHaveProperty([each]);
    }
  });

  test("what closes access can do so in memory, unless it deletes an account", () => {
    const closing = (operations as readonly Operation[]).filter(({ kind }) => kind === "closes");
    expect(
      closing.filter(({ closeInMemory }) => closeInMemory === undefined).map((each) => each.name),
    ).toEqual(["accounts.delete"]);
  });
});
