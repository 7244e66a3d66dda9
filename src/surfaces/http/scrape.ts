import type { Metrics } from "../../services/telemetry/metrics.ts";
import { type Shared, toShared } from "./shared.ts";

/** The last rendering of the metrics. */
export interface Scrape extends Shared {
  readonly type: string;
}

/** Most renderings a second; further requests get the last one. */
const maxRenders = 5;

/** Renders the metrics once for concurrent requests, because it takes milliseconds of the event loop. */
export function createScraper(
  { render }: Pick<Metrics, "render">,
  monotonic: () => number,
): () => Promise<Scrape> {
  let last: Scrape | undefined;
  let rendering: Promise<Scrape> | undefined;
  let since = -Infinity;
  let renders = 0;

  async function renew(): Promise<Scrape> {
    const { type, body } = await render();
    return (last = { type, ...toShared(body) });
  }

  return async () => {
    if (rendering !== undefined) return rendering;
    const time = monotonic();
    if (time - since >= 1000) {
      since = time;
      renders = 0;
    }
    if (last !== undefined && renders >= maxRenders) return last;
    renders += 1;
    rendering = renew();
    try {
      return await rendering;
    } finally {
      rendering = undefined;
    }
  };
}
