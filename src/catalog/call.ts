// Types that need nothing of Node, so that pages can import them.

/** Parsed values, from the command line, GraphQL or a page. */
export interface InputBody {
  kind: "input";
  input: Record<string, unknown>;
}

/** The document itself with its options; `text` requires UTF-8. */
export interface RawBody<Options = Readonly<Record<string, unknown>>> {
  kind: "raw";
  bytes: Uint8Array;
  text: boolean;
  options: Options;
}

/** A call that a page makes. */
export interface PageCall {
  slug: string;
  body: InputBody | RawBody;
  /** The result as it is, text or bytes. */
  form: "bytes";
  /** Check mode: the result is a report. */
  check: boolean;
}

/** An answer without what only the server and the command line ask for. */
export interface PlainAnswer {
  /** The result in the requested form. In the form "fix" empty if the tool would not change the document. */
  body: string | Uint8Array;
  /** Whether the document is valid. Set if the result is a report, in check mode or not. */
  valid?: boolean;
}
