import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

/** A browser without pages: it follows redirects and keeps the cookies of each origin. */
export interface CookieClient {
  /**
   * Loads a URL and follows its redirects; returns the last URL. A redirect to a URL that begins with `until` is returned
   * and not loaded.
   */
  follow(url: string, until?: string): Promise<string>;
  /** Loads a URL as a link does, without following redirects. */
  visit(url: string): Promise<Loaded>;
  /** The cookies of an origin. */
  cookies(url: string): Map<string, string>;
}

export interface Loaded {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  location: string | undefined;
  /** The Set-Cookie headers. */
  cookies: string[];
}

export function createCookieClient(headers: Readonly<Record<string, string>> = {}): CookieClient {
  const jars = new Map<string, Map<string, string>>();

  function cookies(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  }

  async function visit(url: string): Promise<Loaded> {
    const jar = cookies(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = { accept: "text/html", ...headers, ...(cookie !== "" && { cookie }) };
    const loaded = await load(url, sent);
    for (const line of loaded.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /; *max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return loaded;
  }

  return {
    visit,
    cookies,
    async follow(first, until) {
      let url = first;
      for (let steps = 0; steps < 20; steps++) {
        const { location } = await visit(url);
        if (location === undefined) return url;
        url = new URL(location, url).href;
        if (until !== undefined && url.startsWith(until)) return url;
      }
      throw new Error(`too many redirects: ${url}`);
    },
  };
}

/** Not `fetch`, which sends Sec-Fetch headers of its own. */
async function load(url: string, headers: Record<string, string>): Promise<Loaded> {
  const sent = request(url, { headers, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  const { statusCode: status = 0, headers: got } = response;
  return { status, headers: got, text, location: got.location, cookies: got["set-cookie"] ?? [] };
}
