import type { z } from "zod";

/**
 * The field of an operation in GraphQL: of Query if it reads, otherwise of Mutation. The types of its arguments follow from
 * the input (`surfaces/graphql/schema/derived.ts`).
 */
export interface Field<Input extends z.ZodObject> {
  readonly name: string;
  readonly text: string;
  /** A type of the schema. */
  readonly returns: string;
  /** The fields that are arguments. The subject of the operation is an argument too, unless it is in `input`. */
  readonly args?: Arguments<Input>;
  /** The fields that are members of the argument `input`, and its type. */
  readonly input?: {
    readonly type: string;
    readonly text: string;
    readonly fields: Arguments<Input>;
    readonly optional?: true;
  };
  /** Whether a key may not read it, only a settings session; changes always need one. */
  readonly session?: true;
  /** Whether an owner must have signed in within the last ten minutes, too. */
  readonly recent?: true;
}

type Arguments<Input extends z.ZodObject> = { readonly [Name in keyof z.input<Input>]?: Argument };

/** The description of an argument; more where its type does not follow from the field. */
export type Argument =
  | string
  | { readonly text?: string; readonly name?: string; readonly type?: string; readonly initial?: string };
