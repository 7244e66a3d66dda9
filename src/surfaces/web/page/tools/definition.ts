/** A tool as `GET /api/tools/<slug>` describes it. */
export interface Definition {
  slug: string;
  title: string;
  summary: string;
  category: string;
  /** What `data` is, such as "a JSON Web Token". */
  accepts?: string;
  aliases: readonly string[];
  version: string;
  deterministic: boolean;
  checkable: boolean;
  input: InputSchema;
  examples: readonly Example[];
  /** The tools of a pipeline, in order. */
  steps?: readonly string[];
}

export interface Example {
  title?: string;
  input: Readonly<Record<string, unknown>>;
  result: string;
}

/** The JSON Schema of the fields, which are flat. */
export interface InputSchema {
  properties: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

export interface FieldSchema {
  type?: string | readonly string[];
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: FieldSchema;
  writeOnly?: boolean;
}
