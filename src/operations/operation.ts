import type { z } from "zod";
import type { Act, Found } from "../services/audit/act.ts";
import type { EventType } from "../services/events/types.ts";
import type { Command } from "./command.ts";
import type { Context } from "./context.ts";
import type { Field } from "./field.ts";

/**
 * One thing that an operator or an owner does. The handler, the lines in the audit trail, the command below `penknife admin`,
 * the field of GraphQL and the line in docs/administration.md are derived from it.
 */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends Act {
  /** The subject and what is done, such as `keys.issue`: the act in the audit trail, and the name of the command. */
  readonly name: Name;
  /** One or two sentences; also the help of the command. */
  readonly summary: string;
  /**
   * The permitted callers: the operator alone, or also the owner of an account, for that account. Only the server itself calls an
   * operation of `server`, for a person whom a provider or a proxy attested; its socket refuses it.
   */
  readonly callers: "operator" | "owner" | "server";
  /** The events that it may publish. */
  readonly events?: readonly EventType[];
  /** Whether a backup depends on it: it waits for all changes that were requested earlier. */
  readonly waits?: true;
  readonly input: Input;
  readonly output: Output;
  /** The command; absent if there is none, or if it is written by hand. */
  readonly command?: Command<Input, Output>;
  /** The field; absent if there is none, or if it is written by hand. */
  readonly graphql?: Field<Input>;
  /** The command and the field that are written by hand, such as `keys revoke --all` and `revokeSession`. */
  readonly byHand?: { readonly command?: string; readonly field?: string };
  run(context: Context, args: z.output<Input>, found: Found): Promise<z.input<Output>>;
  /**
   * Carries out an operation that closes access in the memory of this server alone, if it could not be written. Returns a text
   * that says what is now refused.
   */
  closeInMemory?(context: Context, args: z.output<Input>): Promise<string | undefined>;
}

export const defineOperation = <
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> => operation;
