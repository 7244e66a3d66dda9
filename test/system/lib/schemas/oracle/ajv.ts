import { createRequire } from "node:module";

/** The parts used: the packages' own types would be read for every file. */
interface Validator {
  compile(schema: object): (document: unknown) => boolean;
}
type Constructor = new (options: object) => Validator;

const load = createRequire(import.meta.url);
const constructors: Readonly<Record<string, Constructor>> = {
  "7": (load("ajv") as { default: Constructor }).default,
  "2019-09": (load("ajv/dist/2019.js") as { default: Constructor }).default,
  "2020-12": (load("ajv/dist/2020.js") as { default: Constructor }).default,
};
const addFormats = (load("ajv-formats") as { default: (to: Validator) => void }).default;

/** Returns what ajv thinks of documents of a schema. @throws Error if it refuses the schema. */
export function openAjv(draft: string, schema: object): (document: unknown) => boolean {
  const Ajv = constructors[draft];
  if (Ajv === undefined) throw new Error(`ajv does not know draft ${draft}`);
  const validator = new Ajv({ strict: false, logger: false, ownProperties: true });
  addFormats(validator);
  return validator.compile(schema);
}
