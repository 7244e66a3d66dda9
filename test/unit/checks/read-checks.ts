import { ToolError } from "../../../src/catalog/errors.ts";
import { openCatalog } from "../../../src/catalog/open.ts";
import { type ChecksFile, readChecksFile } from "../../../src/checks/checks-file.ts";
import { tools } from "../../../src/tools/index.ts";

const documents: Record<string, string> = { "schemas/a.json": '{"type":"object"}', "key.txt": "s3cret\n" };

/** Reads a `checks.yaml` that may name two documents, where one tool is switched off. */
export async function read(text: string): Promise<ChecksFile> {
  return readChecksFile(text, "checks.yaml", {
    catalog: await openCatalog(tools),
    disabled: ["toml-validator"],
    readText(name) {
      const found = documents[name];
      if (found === undefined)
        throw new ToolError("invalid_input", `${name} cannot be read: there is no such file`);
      return found;
    },
  });
}
