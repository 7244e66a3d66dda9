import { type Signal, signal } from "@preact/signals";
import { type Input, noInput } from "../editor/input.ts";
import type { Handed } from "../home/open-tool.ts";
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

export const createState = (definition: Definition, handed?: Handed): ToolState => ({
  definition,
  options: signal({ ...handed?.options }),
  input: signal(handed?.input ?? noInput),
  check: signal(false),
});
