/** Returns the ASCII form of a domain name; empty if it has none. */
export function domainToASCII(domain: string): string {
  try {
    return new URL(`ws://${domain}`).hostname;
  } catch {
    return "";
  }
}
