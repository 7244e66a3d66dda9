import { ToolError } from "./errors.ts";

/** Returns an `invalid_input` error for one field; `pointer` is its place (RFC 6901), "" for the whole input. */
export const refused = (pointer: string, message: string): ToolError =>
  new ToolError("invalid_input", message, { errors: [{ message, pointer }] });
