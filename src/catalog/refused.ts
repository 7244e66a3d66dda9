import { ToolError } from "./errors.ts";

/** `invalid_input` for one field of what was asked for; `pointer` is its place (RFC 6901), "" where it is no field. */
export const refused = (pointer: string, message: string): ToolError =>
  new ToolError("invalid_input", message, { errors: [{ message, pointer }] });
