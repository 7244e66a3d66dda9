import type { Page } from "./browser.ts";

/** Pastes a text into the editor of a page, or into the field of the home page, in the place of what is there. */
export async function setInput(page: Page, text: string): Promise<void> {
  await page.locator(".editor .cm-content, .paste textarea").first().waitFor();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const content =
      document.querySelector(".paste textarea") ??
      document.querySelector(".editor .code").shadowRoot.querySelector(".cm-content");
    content.focus();
    document.execCommand("selectAll");
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);
}
