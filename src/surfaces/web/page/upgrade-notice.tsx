import { signal } from "@preact/signals";
import { render, type JSX } from "preact";

/** The notice that the page is older than the server. */
export interface Upgrade {
  /** Shows the notice with another message. */
  show(message: string): void;
}

const intervalMs = 60_000;

/**
 * Asks the server for its build when the user comes back to the page, and every minute while the page is visible. When it
 * differs from that of the page, `place` says so.
 */
export function watchForUpgrade(root: URL, build: string, place: Element | null): Upgrade {
  const url = new URL("web/build", root);
  const notice = signal("");
  let asking = false;

  async function ask(): Promise<void> {
    if (asking || notice.value !== "" || document.hidden) return;
    asking = true;
    try {
      const response = await fetch(url, { cache: "no-store", credentials: "omit" });
      const answer = response.ok ? ((await response.json()) as { build?: unknown }) : {};
      if (typeof answer.build === "string" && answer.build !== build)
        notice.value = "The server was upgraded.";
    } catch {
      // The server is away, or being upgraded: the next event asks again.
    } finally {
      asking = false;
    }
  }

  const check = (): void => void ask();
  for (const event of ["focus", "online", "pageshow"]) addEventListener(event, check);
  document.addEventListener("visibilitychange", check);
  setInterval(check, intervalMs);

  const UpgradeNotice = (): JSX.Element | null =>
    notice.value !== "" ? (
      <p class="notice">
        {notice.value} <button onClick={() => location.reload()}>Reload this page</button>
      </p>
    ) : null;
  if (place !== null) render(<UpgradeNotice />, place);
  return {
    show(message) {
      notice.value = message;
    },
  };
}
