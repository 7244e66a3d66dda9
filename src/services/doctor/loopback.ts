/** An address, or a name, that only this machine reaches. */
export const isLoopback = (host: string): boolean =>
  /^(?:127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost|(?:[a-z0-9-]+\.)*localhost)$/i.test(host);
