import { DocumentFault, OptionFault } from "../fault.ts";
import type { Value } from "../data/value.ts";
import { openSchema, type SchemaFinding, type ValidateOptions } from "../json-schema/validate.ts";
import { drawDocument, type GenerateOptions } from "./generate.ts";
import type { Draw } from "./pattern.ts";
import { spoil } from "./spoil.ts";

/** Attempts for each document; `not`, `oneOf` and `if` are decided by the validator alone. */
const maxAttempts = 100;

/** A document, and the first rule that it breaks. */
export interface Drawn {
  document: Value;
  broken: SchemaFinding | undefined;
}

/**
 * Draws documents that are valid against a schema, or that are not. The validator has seen each of them.
 * @throws DocumentFault if no valid document is found. OptionFault if every document is valid, where invalid ones are wanted.
 */
export async function drawDocuments(
  schema: Value,
  { count, invalid, ...options }: GenerateOptions & { count: number; invalid: boolean },
  validating: ValidateOptions,
  draw: Draw,
): Promise<Drawn[]> {
  const { run, validate } = await openSchema(schema, validating);

  function drawValid(): Value {
    let reason = "the rules contradict one another";
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const document = drawDocument(run, options, draw);
      if (document === undefined) continue;
      const [first] = validate(document);
      if (first === undefined) return document;
      reason = `the last one failed at ${JSON.stringify(first.pointer)}: ${first.message.replace(/\.$/, "")}`;
    }
    const message = `No valid document was found in ${maxAttempts} attempts; ${reason}.`;
    throw new DocumentFault(message, { pointer: "" }, "no-document");
  }

  function drawInvalid(): Drawn {
    const valid = drawValid();
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const document = spoil(valid, draw);
      const [broken] = validate(document);
      if (broken !== undefined) return { document, broken };
    }
    throw new OptionFault("No document was found that is not valid: the schema accepts nearly everything.");
  }

  return Array.from({ length: count }, () =>
    invalid ? drawInvalid() : { document: drawValid(), broken: undefined },
  );
}
