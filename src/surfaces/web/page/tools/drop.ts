import { isEmpty } from "../editor/input.ts";
import { takesDocument } from "./fields.ts";
import type { ToolState } from "./state.ts";

/**
 * Makes files that are dropped anywhere on the page its documents, until the function that it returns is called. One that is
 * dropped on an editor is the editor's. @param isShown Whether the page is shown, and no other one in its place.
 */
export function addDrops(state: ToolState, isShown: () => boolean): () => void {
  const { definition, input, second } = state;
  if (!takesDocument(definition)) return () => undefined;

  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    isShown() && dataTransfer?.types.includes("Files") === true;

  function onDragOver(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.documentElement.dataset["dragging"] = "";
  }

  const onDragLeave = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) end();
  };

  const end = (): void => {
    delete document.documentElement.dataset["dragging"];
  };

  function onDrop(event: DragEvent): void {
    if (!isShown()) return;
    end();
    const [first, other] = event.dataTransfer?.files ?? [];
    if (first === undefined) return;
    const isOnEditor = (event.target as Element | null)?.closest?.(".editor") != null;
    if (isOnEditor && (other === undefined || second === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    const toInput = (file: File) => ({ kind: "file", file, name: file.name }) as const;
    if (other !== undefined && second !== undefined) {
      input.value = toInput(first);
      second.value = toInput(other);
    } else if (second !== undefined && !isEmpty(input.value) && isEmpty(second.value))
      second.value = toInput(first);
    else input.value = toInput(first);
  }

  addEventListener("dragover", onDragOver);
  addEventListener("dragleave", onDragLeave);
  // Before an editor sees it.
  addEventListener("drop", onDrop, { capture: true });
  return () => {
    removeEventListener("dragover", onDragOver);
    removeEventListener("dragleave", onDragLeave);
    removeEventListener("drop", onDrop, { capture: true });
  };
}
