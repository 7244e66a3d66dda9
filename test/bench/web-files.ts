import { gzipSync } from "node:zlib";

/** The URLs of the scripts and style sheets that a page names. */
export async function filesOf(url: string): Promise<string[]> {
  const text = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  return [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
    ([, file = ""]) => new URL(file, url).href,
  );
}

/** Bytes of a file as a server without brotli would send it. */
export async function zippedSize(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
  return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length;
}
