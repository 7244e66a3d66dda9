import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import type { CheckedFile, FileFinding } from "../../../src/checks/verdict.ts";
import { tools } from "../../../src/tools/index.ts";

const tool = (await createCatalog(tools).get("json-validator")) as CatalogTool;

/** The verdict of a file with these findings. */
export const verdict = (errors: FileFinding[]): CheckedFile => ({ tool, name: "a", valid: false, errors });

/** A finding, with what a test says of it. */
export const finding = (more: Partial<FileFinding>): FileFinding => ({
  message: "m",
  severity: "error",
  rule: "r",
  ...more,
});
