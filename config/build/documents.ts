import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, parse, validate } from "graphql";

/**
 * Validates the documents of pages, those of the tag `gql`, against a schema.
 * @throws Error with file, line and reason.
 */
export function validateDocuments(folder: string, schemaFile: string): void {
  const schema = buildSchema(readFileSync(schemaFile, "utf8"));
  const faults: string[] = [];
  for (const name of globSync("**/*.{ts,tsx}", { cwd: folder }).toSorted()) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const { index, 1: document = "" } of text.matchAll(/\bgql`([^`]*)`/g)) {
      const line = text.slice(0, index).split("\n").length;
      for (const message of faultsOf(document)) faults.push(`${name}:${line}: ${message}`);
    }
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));

  function faultsOf(document: string): string[] {
    try {
      return validate(schema, parse(document)).map(({ message }) => message);
    } catch (error) {
      return [(error as Error).message];
    }
  }
}
