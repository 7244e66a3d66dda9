/** Whether a host name or an address, in any notation of a Host header or of a socket, belongs to this machine alone. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost|(?:[a-z0-9-]+\.)*localhost)$/i.test(host);
