import type { Page } from "./browser.ts";

/** Pastes a text into the editor of a page, in the place of what is there. */
export async function setInput(page: Page, text: string): Promise<void> {
  await page.locator(".editor .cm-content").waitFor();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const content = document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content");
    content.focus();
    document.execCommand("selectAll");
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);
}
