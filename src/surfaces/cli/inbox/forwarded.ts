/** Of a connection and not of what is sent over it (RFC 9110 §7.6.1), and what is said anew for the next one. */
const dropped = new Set(
  "connection content-length expect host keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/**
 * The headers of a message for the next hop, as names and values in turn: the same in the same order, without what
 * belonged to the connection that they came over, and with the host and the length of this one.
 */
export function toForwarded(
  headers: readonly (readonly [name: string, value: string])[],
  host: string,
  length: number,
): string[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase())),
  );
  const kept = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !dropped.has(lower) && !named.has(lower);
  });
  return ["Host", host, ...kept.flat(), "Content-Length", String(length), "Connection", "close"];
}
