import type { Manifest } from "./manifest.ts";

/** The scripts of the worker, as the server has them. */
export interface Scripts {
  manifest(file: string): Promise<Manifest>;
  /** Returns a script, which is fetched once. */
  read(name: string): Promise<Blob>;
}

/** @param root URL of the home page. */
export function createScripts(root: URL): Scripts {
  const known = new Map<string, Promise<Blob>>();

  async function get(file: string): Promise<Response> {
    const response = await fetch(new URL(`web/${file}`, root), { credentials: "omit" }).catch(
      (cause: unknown) => {
        throw new Error("The server cannot be reached. Try again.", { cause });
      },
    );
    if (!response.ok) throw new Error("The server no longer has a part of this page. Load the page again.");
    return response;
  }

  return {
    manifest: async (file) => (await (await get(file)).json()) as Manifest,
    read(name) {
      const script = known.get(name) ?? get(`${name}.js`).then((response) => response.blob());
      known.set(name, script);
      script.catch(() => known.delete(name));
      return script;
    },
  };
}
