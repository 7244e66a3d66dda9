import type { Page } from "./browser.ts";

/** Pastes a text into an editor of a page, or into its one line, in the place of what is there. @param index Which editor, from 0. */
export async function setInput(page: Page, text: string, index = 0): Promise<void> {
  await page.locator(".editor .cm-content, .line-input textarea, .paste textarea").first().waitFor();
  await page.evaluate(`(async () => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    const line = document.querySelector(".line-input textarea, .paste textarea");
    if (line !== null) {
      line.focus();
      line.select();
      if (line.dispatchEvent(paste)) document.execCommand("insertText", false, ${JSON.stringify(text)});
      return;
    }
    const find = () => document.querySelectorAll(".editor .code")[${index}].shadowRoot?.querySelector(".cm-content");
    while (find() == null) await new Promise((resolve) => setTimeout(resolve, 20));
    const content = find();
    content.focus();
    document.execCommand("selectAll");
    content.dispatchEvent(paste);
  })()`);
}

/** Drops files on an element of a page. */
export const dropFiles = (
  page: Page,
  selector: string,
  files: readonly { name: string; content: string }[],
): Promise<unknown> =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)}) dataTransfer.items.add(new File([content], name));
    document.querySelector(${JSON.stringify(selector)})
      .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }));
  }`);

/**
 * Returns the text that the page of a tool copies in the last tab of its result, which are the bytes of the API; or why there is no
 * result. @param within Selects the element with the tabs and the button, such as a step of a pipeline.
 */
export const resultOf = async (page: Page, within = ".result-pane"): Promise<string> =>
  String(
    await page.evaluate(`(async () => {
      const refused = document.querySelector(".refused");
      if (refused !== null) return refused.textContent;
      const place = document.querySelector(${JSON.stringify(within)});
      // A text stands before what it is taken apart into, and before the digits of its bytes.
      const tabs = [...(place?.querySelectorAll("[role=tab]") ?? [])];
      const tab = tabs.find(({ textContent }) => textContent === "Text")
        ?? tabs.filter(({ textContent }) => textContent !== "Hex").at(-1);
      if (tab !== undefined && tab.ariaSelected !== "true") {
        tab.click();
        // A busy machine draws the tab later.
        for (let n = 0; n < 100 && (n === 0 || tab.ariaSelected !== "true"); n++)
          await new Promise((resolve) => setTimeout(resolve, 20));
      }
      let copied = "";
      const writeText = (text) => ((copied = text), Promise.resolve());
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
      place?.querySelector(".copy button")?.click();
      return copied;
    })()`),
  );

/** Sets options by their labels; those under Advanced if its drawer is open. */
export async function setOptions(page: Page, options: Readonly<Record<string, string>>): Promise<void> {
  await page.locator(".options-bar").waitFor();
  await page.evaluate(`{
    for (const [name, value] of Object.entries(${JSON.stringify(options)})) {
      const group = document.querySelector('.segmented[aria-label="' + name + '"]');
      if (group !== null) {
        [...group.children].find(({ textContent }) => textContent === value).click();
        continue;
      }
      const label = [...document.querySelectorAll("label")].find(({ textContent }) => textContent.startsWith(name));
      const field = label.control;
      if (field.type === "checkbox") {
        if (String(field.checked) !== value) field.click();
        continue;
      }
      field.value = value;
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }`);
}
