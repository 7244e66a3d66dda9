import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { execute } from "../../../src/catalog/execute.ts";
import type { Report } from "../../../src/catalog/report.ts";
import validator from "../../../src/tools/lint/json-schema-validator.ts";
import { context } from "../../unit/tools/run-tool.ts";

type Ajv = new (options: object) => {
  addMetaSchema(schema: object): void;
  compile(
    schema: object,
  ): ((value: unknown) => boolean) & { errors?: { dataPath: string; message: string }[] };
};

export interface Validators {
  /** Empty if the document is SARIF 2.1.0 according to Ajv. */
  byAjv(document: string): string[];
  /** The same according to our own validator of JSON Schema. */
  byPenknife(document: string): Promise<string[]>;
}

/** The schema (draft 4) and the validator for it, of the package here (test/run/setup.ts installs it). */
export function openValidators(): Validators {
  const require = createRequire(import.meta.url);
  const path = "@microsoft/sarif-matcher-utils/lib/schemas/sarif-2.1.0-rtm.5.json";
  const schema = readFileSync(require.resolve(path), "utf8");
  const ajv = new (require("ajv") as Ajv)({ schemaId: "auto", meta: false, format: "full", allErrors: true });
  ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json") as object);
  const validate = ajv.compile(JSON.parse(schema) as object);
  return {
    byAjv(document) {
      validate(JSON.parse(document));
      return (validate.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
    },
    async byPenknife(data) {
      const body = { kind: "input" as const, input: { data, schema, draft: "4" } };
      const answer = await execute(validator, { body, form: "text", check: true }, context);
      const { errors } = JSON.parse(String(answer.body)) as Report;
      return errors.map(({ pointer, message }) => `${pointer} ${message}`);
    },
  };
}
