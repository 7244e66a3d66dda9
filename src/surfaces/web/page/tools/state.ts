import { type Signal, signal } from "@preact/signals";
import { type Input, noInput } from "../editor/input.ts";
import type { Definition } from "./definition.ts";

/** What a person has chosen on the page of a tool. */
export interface ToolState {
  readonly definition: Definition;
  /** The values of all fields but `data` that differ from their defaults. */
  readonly options: Signal<Record<string, unknown>>;
  readonly input: Signal<Input>;
  /** Whether the document is checked, and not changed. */
  readonly check: Signal<boolean>;
}

export const createState = (definition: Definition, input: Input = noInput): ToolState => ({
  definition,
  options: signal({}),
  input: signal(input),
  check: signal(false),
});
