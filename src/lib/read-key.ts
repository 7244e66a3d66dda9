/**
 * Reads a key with OpenSSL, again if that fails: errors of earlier calls, which Node does not clear, may make it take a valid key for invalid,
 * and a failed call clears them.
 */
export function readKey<T>(read: () => T): T {
  try {
    return read();
  } catch {
    return read();
  }
}
