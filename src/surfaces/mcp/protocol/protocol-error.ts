/** The error codes of JSON-RPC 2.0 §5.1, and those of MCP revision 2026-07-28. */
export const codes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** A refusal of the transport, such as a missing key; the range is reserved for servers. */
  refused: -32_000,
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

/** A fault of a message, which is answered with a JSON-RPC error. A fault of a call of a tool is a result instead. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: object | undefined;
  /** The status over HTTP. */
  readonly status: number;

  constructor(
    code: number,
    message: string,
    { data, status = 400 }: { data?: object; status?: number } = {},
  ) {
    super(message);
    this.name = "ProtocolError";
    this.code = code;
    this.data = data;
    this.status = status;
  }
}
