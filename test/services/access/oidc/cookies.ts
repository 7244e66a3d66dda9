/** A browser without pages: it follows redirects and keeps the cookies of each origin. */
export interface CookieClient {
  /**
   * Loads a URL and follows its redirects; returns the last URL. A redirect to a URL that begins with `until` is returned
   * and not loaded.
   */
  follow(url: string, until?: string): Promise<string>;
  /** Loads a URL as a link does, without following redirects. */
  visit(url: string): Promise<Response>;
  /** The cookies of an origin. */
  cookies(url: string): Map<string, string>;
}

export function createCookieClient(headers: Readonly<Record<string, string>> = {}): CookieClient {
  const jars = new Map<string, Map<string, string>>();

  function cookies(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  }

  async function visit(url: string): Promise<Response> {
    const jar = cookies(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", ...headers, ...(cookie !== "" && { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /; *max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  return {
    visit,
    cookies,
    async follow(first, until) {
      let url = first;
      for (let steps = 0; steps < 20; steps++) {
        const response = await visit(url);
        const location = response.headers.get("location");
        await response.body?.cancel();
        if (location === null) return url;
        url = new URL(location, url).href;
        if (until !== undefined && url.startsWith(until)) return url;
      }
      throw new Error(`too many redirects: ${url}`);
    },
  };
}
