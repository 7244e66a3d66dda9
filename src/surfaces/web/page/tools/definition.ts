/** A tool as `GET /api/tools/<slug>` describes it, with what its page needs besides; src/surfaces/web/tool-page.ts makes it. */
export interface Definition {
  slug: string;
  title: string;
  summary: string;
  category: string;
  /** What `data` is, such as "a JSON Web Token". */
  accepts?: string;
  deterministic: boolean;
  checkable: boolean;
  input: InputSchema;
  examples: readonly Example[];
  /** The tools of a pipeline, in order. */
  steps?: readonly string[];
  /** Whether the tool takes bytes that are no text. */
  takesBytes: boolean;
  /** The tool that undoes this one. */
  inverse?: string;
  /** Whether the server answers calls without a key. */
  anonymous: boolean;
  /** Whether the server has a script that runs the tool in a tab; an older browser may still not run it. */
  runsInTab: boolean;
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
  anyOf?: readonly FieldSchema[];
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: FieldSchema;
}
