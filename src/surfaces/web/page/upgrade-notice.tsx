import { signal } from "@preact/signals";
import { render, type JSX } from "preact";

const intervalMs = 60_000;

/**
 * Asks the server for its build when the user comes back to the page, and every minute while the page is visible. When it
 * differs from that of the page, `place` says so.
 */
export function watchForUpgrade(root: URL, build: string, place: Element | null): void {
  if (place === null) return;
  const url = new URL("web/build", root);
  const isUpgraded = signal(false);
  let asking = false;

  async function ask(): Promise<void> {
    if (asking || isUpgraded.value || document.hidden) return;
    asking = true;
    try {
      const response = await fetch(url, { cache: "no-store", credentials: "omit" });
      const answer = response.ok ? ((await response.json()) as { build?: unknown }) : {};
      if (typeof answer.build === "string" && answer.build !== build) isUpgraded.value = true;
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
    isUpgraded.value ? (
      <p class="notice">
        The server was upgraded. <button onClick={() => location.reload()}>Reload this page</button>
      </p>
    ) : null;
  render(<UpgradeNotice />, place);
}
