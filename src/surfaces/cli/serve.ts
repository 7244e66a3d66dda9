import { defineLeaf } from "./command.ts";
import { renderWelcome } from "./welcome.ts";
import type { Host, LoadedSettings } from "./host.ts";
import { listenArgs, loadSettings } from "./load-settings.ts";
import type { RunningApp } from "./running-app.ts";

/** How long requests that are running may go on after SIGTERM. */
const graceMs = 10_000;

interface Stop {
  wanted: Promise<void>;
  /** Until the work is done or must not be waited for any longer. */
  within(work: Promise<void>): Promise<void>;
  release(): void;
}

export const serveCommand = defineLeaf({
  description: "Serve every tool over HTTP until SIGTERM or SIGINT.",
  args: listenArgs,
  examples: ["penknife serve", "penknife serve --host 0.0.0.0 --port 80 --data /var/lib/penknife"],
  async run(args, host) {
    const settings = await loadSettings(args, host);
    // Heard from here on: a signal in the middle of the start must end it in order too.
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

async function serve(app: RunningApp, settings: LoadedSettings, stop: Stop, host: Host): Promise<void> {
  const listening = await app.listen();
  const ignoreHangUp = host.onSignal("SIGHUP", () => void listening.reload().catch(app.logFault));
  try {
    const first = !app.hasAccounts();
    // A server that nobody listens to is a server all the same.
    await host.stderr
      .write(renderWelcome({ settings, url: listening.url, first, host }))
      .catch(() => undefined);
    await stop.wanted;
  } finally {
    await stop.within(listening.close(graceMs));
    ignoreHangUp();
  }
}

/** The first SIGTERM or SIGINT asks for the end, the second one no longer waits for anything. */
function createStop(host: Host): Stop {
  const wanted = Promise.withResolvers<void>();
  const atOnce = Promise.withResolvers<void>();
  let signals = 0;
  const hear = () => (signals++ === 0 ? wanted.resolve() : atOnce.resolve());
  const releases = [host.onSignal("SIGTERM", hear), host.onSignal("SIGINT", hear)];
  return {
    wanted: wanted.promise,
    within: (work: Promise<void>): Promise<void> => Promise.race([work, atOnce.promise]),
    release: () => releases.forEach((release) => release()),
  };
}
