import type { ToolPageDescription } from "../../../../catalog/description.ts";

/** A tool as its page gets it. */
export interface Definition extends Omit<ToolPageDescription, "input"> {
  input: InputSchema;
}

/** The JSON Schema of the fields, which are flat. */
export interface InputSchema {
  properties: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

export interface FieldSchema {
  type?: string | readonly string[];
  anyOf?: readonly FieldSchema[];
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  items?: FieldSchema;
}
