import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { validateSchema } from "../../../../src/lib/json-schema/validate.ts";
import type { Contest } from "../../contest.ts";
import { documentOf } from "../../document.ts";
import { recordsSchema } from "../../tool-documents.ts";

const document = documentOf(1_000_000);
const compiled = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(recordsSchema));
const options = { draft: undefined, formats: true, documents: new Map() };

/** Every contestant parses the document; those not marked as prepared parse the schema too. */
const contest: Contest = {
  data: Buffer.from(document),
  fields: { schema: recordsSchema },
  broken: Buffer.from(`${document.slice(0, -1)},{"id":"1"}]`),
  toMeaning: (report) => (JSON.parse(String(report)) as { valid: boolean }).valid,
  contestants: [
    {
      name: "our validateSchema",
      used: true,
      run: async (data) => validateSchema(fromJson(data.toString()), fromJson(recordsSchema), options),
      toMeaning: (findings) => (findings as unknown[]).length === 0,
    },
    {
      name: "ajv, compiled before",
      used: false,
      run: (data) => compiled(JSON.parse(data.toString())),
      toMeaning: (valid) => valid,
    },
    {
      name: "ajv, compiled each time",
      used: false,
      run(data) {
        const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(recordsSchema));
        return validate(JSON.parse(data.toString()));
      },
      toMeaning: (valid) => valid,
    },
    {
      name: "@cfworker/json-schema",
      used: false,
      run: (data) =>
        new Validator(JSON.parse(recordsSchema), "2020-12", false).validate(JSON.parse(data.toString())),
      toMeaning: (result) => (result as { valid: boolean }).valid,
    },
  ],
};

export default contest;
