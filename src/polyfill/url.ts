import machine from "whatwg-url/lib/url-state-machine.js";

type UrlRecord = NonNullable<ReturnType<typeof machine.basicURLParse>>;

/**
 * The members of URL that tools use. Browsers parse URLs in ways of their own (Chromium fails a tenth of the tests of the WHATWG URL
 * Standard), Node by the standard.
 */
export class URL {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;

  /** @throws TypeError */
  constructor(text: string, base?: string) {
    const url = read(text, base);
    if (url === null) throw new TypeError("Invalid URL");
    this.href = machine.serializeURL(url);
    this.origin = machine.serializeURLOrigin(url);
    this.protocol = `${url.scheme}:`;
    this.username = url.username;
    this.password = url.password;
    this.hostname = url.host === null ? "" : machine.serializeHost(url.host);
    this.port = url.port === null ? "" : String(url.port);
    this.host = this.port === "" ? this.hostname : `${this.hostname}:${this.port}`;
    this.pathname = machine.serializePath(url);
    this.search = url.query === null || url.query === "" ? "" : `?${url.query}`;
    this.hash = url.fragment === null || url.fragment === "" ? "" : `#${url.fragment}`;
  }

  static parse(text: string, base?: string): URL | null {
    return URL.canParse(text, base) ? new URL(text, base) : null;
  }

  static canParse(text: string, base?: string): boolean {
    return read(text, base) !== null;
  }
}

function read(text: string, base: string | undefined): UrlRecord | null {
  if (base === undefined) return machine.basicURLParse(text.toWellFormed());
  const baseURL = machine.basicURLParse(base.toWellFormed());
  return baseURL === null ? null : machine.basicURLParse(text.toWellFormed(), { baseURL });
}

/** Returns the ASCII form of a domain name; empty if it has none. */
export const domainToASCII = (domain: string): string => URL.parse(`ws://${domain}`)?.hostname ?? "";
