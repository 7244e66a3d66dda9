/**
 * Copies a text, or that of an element. Over plain HTTP there is no `navigator.clipboard`, so the element is selected and the
 * browser's own command copies. Returns false if that is refused too; the element then stays selected.
 */
export async function copy(source: HTMLElement, text = source.textContent ?? ""): Promise<boolean> {
  try {
    // Missing, whatever its type says, unless the page came over HTTPS or from localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    // The element may show a part of the text.
    const give = (event: ClipboardEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      event.clipboardData?.setData("text/plain", text);
    };
    document.addEventListener("copy", give, { capture: true });
    try {
      return document.execCommand("copy");
    } finally {
      document.removeEventListener("copy", give, { capture: true });
    }
  }
}

/** Copies a text that no element shows. Returns false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  const place = document.createElement("span");
  place.className = "unseen";
  place.textContent = text;
  document.body.append(place);
  try {
    return await copy(place);
  } finally {
    place.remove();
  }
}
