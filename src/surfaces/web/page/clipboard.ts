/**
 * Copies the text of an element. Over plain HTTP there is no `navigator.clipboard`, so the element is selected and the
 * browser's own command copies the selection. Returns false if that is refused too; the text then stays selected.
 */
export async function copy(source: HTMLElement, text = source.textContent ?? ""): Promise<boolean> {
  try {
    // Missing, whatever its type says, unless the page came over HTTPS or from localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}
