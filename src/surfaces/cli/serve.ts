import type { App } from "../../app.ts";
import { defineLeaf } from "./command.ts";
import { renderWelcome } from "./welcome.ts";
import type { LoadedSettings } from "../../config.ts";
import type { Host } from "./host.ts";
import { listenArgs, loadOperatorSettings } from "./load-settings.ts";

/** The time that running requests may continue after SIGTERM. */
const graceMs = 10_000;

interface Stop {
  wanted: Promise<void>;
  /** Waits for the work, or for the second signal. */
  within(work: Promise<void>): Promise<void>;
  release(): void;
}

export const serveCommand = defineLeaf({
  description: "Serve every tool over HTTP until SIGTERM or SIGINT.",
  args: listenArgs,
  examples: ["penknife serve", "penknife serve --host 0.0.0.0 --port 80 --data /var/lib/penknife"],
  async run(args, host) {
    const settings = await loadOperatorSettings(args, host);
    // Installed first, so that a signal during the start shuts it down in order too.
    const stop = createStop(host);
    try {
      const app = await host.program.createApp(settings, host);
      host.onFault(app.logFault);
      try {
        await serve(app, settings, stop, host);
      } finally {
        await stop.within(app.close());
      }
    } finally {
      stop.release();
    }
  },
});

async function serve(app: App, settings: LoadedSettings, stop: Stop, host: Host): Promise<void> {
  const listening = await app.listen();
  const ignoreHangUp = host.onSignal("SIGHUP", () => void listening.reload().catch(app.logFault));
  try {
    const first = !app.hasAccounts();
    // A server whose standard error is closed still serves.
    await host.stderr
      .write(renderWelcome({ settings, url: listening.url, first, host }))
      .catch(() => undefined);
    await stop.wanted;
  } finally {
    await stop.within(listening.close(graceMs));
    ignoreHangUp();
  }
}

/** The first SIGTERM or SIGINT starts an orderly shutdown; the second one ends it at once. */
function createStop(host: Host): Stop {
  const wanted = Promise.withResolvers<void>();
  const atOnce = Promise.withResolvers<void>();
  let signals = 0;
  const onStop = () => (signals++ === 0 ? wanted.resolve() : atOnce.resolve());
  const releases = [host.onSignal("SIGTERM", onStop), host.onSignal("SIGINT", onStop)];
  return {
    wanted: wanted.promise,
    within: (work: Promise<void>): Promise<void> => Promise.race([work, atOnce.promise]),
    release: () => releases.forEach((release) => release()),
  };
}
