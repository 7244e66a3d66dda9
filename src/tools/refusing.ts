import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { BudgetError } from "../lib/budget.ts";
import { DocumentFault, type FaultPlace, OptionFault } from "../lib/fault.ts";
import { withSubject } from "../lib/must.ts";
import { placesOf } from "../lib/places.ts";

/**
 * Runs work on the document in the field `data`, or in `field`. Converts a DocumentFault to a ToolError invalid_document
 * with its place.
 */
export function refusing<T>(document: string | Uint8Array, work: () => T, field?: string): T {
  return translating(work, (error) =>
    error instanceof DocumentFault ? refusalOf(document, error, field) : error,
  );
}

/** Adds to a DocumentFault the options that would accept the document, such as "strict to false", if `findRemedy` has any. */
export function withRemedy<T>(work: () => T, findRemedy: () => string | undefined): T {
  return translating(work, (error) => {
    const remedy = error instanceof DocumentFault ? findRemedy() : undefined;
    if (remedy === undefined) return error;
    const { message, at, rule, limit } = error as DocumentFault;
    return new DocumentFault(`${message} To accept it, set ${remedy}.`, at, rule, limit);
  });
}

/** Returns the ToolError invalid_document for a fault at a place, or of the whole document if `at` is empty. */
export const refuse = (
  document: string | Uint8Array,
  at: FaultPlace,
  message: string,
  field?: string,
): ToolError => refusalOf(document, new DocumentFault(message, at), field);

/**
 * Runs work on an option. Converts an OptionFault to a ToolError invalid_input and a BudgetError to memory_exceeded.
 * @param about Prefix of the message, for options with several values.
 */
export function refusingOption<T>(option: string, work: () => T, about = ""): T {
  return translating(work, (error) => {
    if (error instanceof BudgetError)
      return new ToolError("memory_exceeded", about + error.message, { limit: error.limit });
    if (!(error instanceof OptionFault)) return error;
    return invalidField(error.option ?? option, about + toSentence(error));
  });
}

/** Runs work; the message of a DocumentFault gets the sentence that `advise` returns for it, if any. */
export function advising<T>(work: () => T, advise: (fault: DocumentFault) => string | undefined): T {
  return translating(work, (error) => {
    // The message of a fault with two places is continued with both.
    if (!(error instanceof DocumentFault) || error.at.first !== undefined) return error;
    const advice = advise(error);
    if (advice === undefined) return error;
    return new DocumentFault(`${error.message} ${advice}`, error.at, error.rule, error.limit);
  });
}

/** Returns the message of an OptionFault, with its place. */
export const toSentence = ({ message, index }: OptionFault): string =>
  `${message.replace(/\.$/, "")}${index === undefined ? "" : `, at character ${index + 1}`}.`;

function refusalOf(
  document: string | Uint8Array,
  { message, at, limit }: DocumentFault,
  field: string | undefined,
): ToolError {
  const details = limit === undefined ? {} : { limit };
  const { offset, index, pointer, first } = at;
  if (offset === undefined && index === undefined && pointer === undefined)
    return new ToolError("invalid_document", message, details);
  const [place, earlier] = placesOf(document, first === undefined ? [at] : [at, { offset: first }]);
  const error: ErrorPlace = {
    message,
    ...(field !== undefined && { field }),
    ...(index === undefined && pointer !== undefined && { pointer }),
    ...place,
    ...(earlier !== undefined && { first: earlier }),
  };
  const sentence = field === undefined ? message : withSubject(field, message);
  return new ToolError("invalid_document", sentence, { ...details, errors: [error] });
}

/** Runs synchronous or asynchronous work and translates what it throws. */
function translating<T>(work: () => T, translate: (error: unknown) => unknown): T {
  try {
    const value = work();
    if (!(value instanceof Promise)) return value;
    return value.catch((error: unknown) => {
      throw translate(error);
    }) as T;
  } catch (error) {
    throw translate(error);
  }
}
