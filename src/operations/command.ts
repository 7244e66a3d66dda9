import type { z } from "zod";
import type { SubjectKind } from "../services/audit/act.ts";

/** The command of an operation below `penknife admin`. Its name, and what it accepts, follow from the operation. */
export interface Command<Input extends z.ZodObject, Answer extends z.ZodType> {
  /**
   * The notation of the fields on the line, in the order of the help. Fields that are not here cannot be given, except for the subject,
   * which has an argument of its own (`subjectOptions`).
   */
  readonly options?: { readonly [Name in keyof z.input<Input>]?: Option };
  readonly examples?: readonly string[];
  /** Whether it may create the store. */
  readonly begins?: true;
  /** The columns of an answer with a list. */
  readonly table?: Table<ItemOf<z.output<Answer>>>;
  /** Returns what is shown of an answer with one record; its fields unless given. */
  record?(answer: z.output<Answer>): object;
  /** Returns the line on standard output in the place of the record, and a note for people. */
  print?(answer: z.output<Answer>): { line: string; note?: string };
  /** Returns a sentence for standard error, also with `--json`. */
  warn?(answer: z.output<Answer>): string | undefined;
  /** Returns the exit status, 0 unless given. */
  status?(answer: z.output<Answer>): number;
}

/** The notation of one field on a command line. */
export interface Option {
  readonly text: string;
  /** Whether it is an argument; otherwise it is an option. */
  readonly positional?: true;
  /** The name of the option without hyphens; that of the field in kebab case unless given. */
  readonly flag?: string;
  readonly hint?: string;
  /** Whether `-` reads it from standard input: arguments are visible in the process list and the shell history. */
  readonly secret?: true;
  /** The value that an option without a value stands for; true unless given. */
  readonly stands?: unknown;
  /** Converts a text to a field that is neither a text, a number nor a list of words; undefined for other texts. */
  parse?(text: string): unknown;
  /** The end of the error about another text: "types separated by commas". */
  readonly must?: string;
}

/** The options of subjects, for operations that do not define their own. */
export const subjectOptions = {
  account: { text: "The account", positional: true },
  delivery: { text: "The delivery (dlv_…)", positional: true },
  endpoint: { text: "The endpoint (we_…)", positional: true },
  key: {
    text: "The id (key_…) or the key itself; - reads it from standard input",
    positional: true,
    secret: true,
  },
  quota: { text: "The account", positional: true },
} as const satisfies Partial<Record<SubjectKind, Option>>;

/** The columns of one kind of record. */
export interface Table<Item> {
  readonly headings: readonly string[];
  toRow(item: Item): readonly string[];
}

type ItemOf<Answer> = Answer extends { items: readonly (infer Item)[] } ? Item : never;
