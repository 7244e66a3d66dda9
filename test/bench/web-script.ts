import type { Browser } from "../system/e2e/browser/browser.ts";

export interface ToolboxBench {
  /** The origin of the server whose pages are measured. */
  origin: string;
  browser: Browser;
  rounds: number;
}

/** The object `bench` of a page that is measured. What a key does is the same in both pages: a space before the document. */
export const setup = (kind: "editor" | "peer"): string => `window.bench = (() => {
  const isPeer = ${JSON.stringify(kind)} === "peer";
  const view = (index = 0) => isPeer ? document.querySelector(".cm-content")
    : document.querySelectorAll(".editor .code")[index].shadowRoot.querySelector(".cm-content");
  const place = isPeer ? document.body : document.querySelector(".result-pane");
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const tasks = [];
  new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]); })
    .observe({ type: "longtask" });
  // Both pages say in an attribute when the result is there.
  const changed = () => new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (place.getAttribute("aria-busy") !== "false") return;
      observer.disconnect();
      resolve();
    });
    observer.observe(place, { attributes: true, attributeFilter: ["aria-busy"] });
  });
  const longest = async (since, spent) => {
    await sleep(1000);
    return Math.max(0, ...tasks.filter(([start, duration]) => start + duration > since).map(([, duration]) => duration - spent));
  };
  const make = (bytes) => {
    const rows = [];
    for (let length = 0; length < bytes; ) {
      const id = rows.length;
      rows.push({ id, name: "person " + id, email: "p" + id + "@example.com", tags: ["a", "b"], score: id / 7 });
      length += JSON.stringify(rows[id], null, 2).length + 20;
    }
    return JSON.stringify(rows, null, 2);
  };
  // Without a result nothing is waited for.
  async function paste(text, index = 0, hasResult = true) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    // What the browser itself needs for the clipboard is not the page's.
    let spent = 0;
    const read = clipboardData.getData.bind(clipboardData);
    clipboardData.getData = (type) => {
      const before = performance.now();
      try { return read(type); } finally { spent += performance.now() - before; }
    };
    const content = view(index);
    content.focus();
    document.execCommand("selectAll");
    await sleep(500);
    const since = performance.now();
    const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true });
    Object.defineProperty(event, "clipboardData", { value: clipboardData });
    const done = hasResult ? changed() : undefined;
    content.dispatchEvent(event);
    await done;
    return longest(since, spent);
  }
  // Puts the cursor at the start of the document, and returns a promise of the time from the next key until the browser has drawn it.
  async function awaitKey() {
    view().focus();
    getSelection().modify("move", "backward", "documentboundary");
    await sleep(500);
    const drawn = new Promise((resolve) => addEventListener("keydown", async ({ timeStamp }) => {
      await frame();
      resolve(performance.now() - timeStamp);
    }, { capture: true, once: true }));
    return { drawn };
  }
  async function measure(bytes) {
    const text = make(bytes);
    const pasteTask = await paste(text);
    view().focus();
    getSelection().modify("move", "backward", "documentboundary");
    await sleep(200);
    const since = performance.now();
    const done = changed();
    document.execCommand("insertText", false, " ");
    await done;
    await frame();
    const result = performance.now() - since;
    return { result, pasteTask, keyTask: await longest(since, 0) };
  }
  return { make, paste, awaitKey, measure };
})(); undefined`;
