/**
 * Reports whether a host name or an address, in any notation of a Host header or a socket, belongs to this
 * machine.
 */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost|(?:[a-z0-9-]+\.)*localhost)$/i.test(host);
