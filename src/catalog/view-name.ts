/**
 * How the page of a tool shows its result. Without one, the shape of the result decides; a tool names a view only where the shape
 * says too little. After a colon stands the language of the text.
 */
export type ViewName =
  | `code${"" | ":json" | ":yaml" | ":toml" | ":xml" | ":env" | ":sql" | ":ndjson" | ":csv"}`
  /** The text, and a second tab with what differs from the document. */
  | "code+changed"
  | "text"
  | "text+changed"
  /** As "text+changed", with tabs, spaces and ends of lines drawn. */
  | "white-space"
  | "bytes"
  | "report"
  /** A report, and the document as a table. */
  | "report+table"
  | "table"
  | "properties"
  | "digests"
  | "value"
  | "jwt"
  | "matches"
  | "lines"
  | "diff"
  | "changes"
  | "cron"
  | "certificate"
  | "ssh"
  | "verdict"
  | "image"
  | "list"
  | "offers";
