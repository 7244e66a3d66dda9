import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Choice, Combobox } from "../ui/combobox.tsx";
import { favourites, recent } from "./history.ts";
import { describeFound, openToolList, type ToolList } from "./tool-list.ts";

/** Something that the palette opens; its key is the path below the home page. */
const pages: readonly Choice[] = [
  { title: "Home", summary: "Paste anything, and find the tool that fits", key: "" },
  { title: "Pipelines", summary: "Run tools one after the other", key: "pipelines" },
  { title: "API keys", summary: "Settings", key: "settings/keys" },
  { title: "Usage", summary: "Settings", key: "settings/usage" },
  { title: "Sign in", summary: "With a code of the operator", key: "sign-in" },
];

const maxChoices = 9;

/** Opens the palette, unless it is open. @param root URL of the home page. */
export function showPalette(root: URL): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const place = document.createElement("div");
  document.body.append(place);
  const before = document.activeElement;
  const close = (): void => {
    render(null, place);
    place.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  render(<Palette root={root} onClose={close} />, place);
}

function Palette({ root, onClose }: { root: URL; onClose(): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useSignal<ToolList | undefined>(undefined);
  const message = useSignal("");

  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (message.value = (error as Error).message),
    );
  }, []);

  return (
    <dialog ref={dialog} class="palette" aria-label="Open a tool or a page" onClose={onClose}>
      <Combobox
        label="Tool or page"
        listLabel="Tools and pages"
        find={(words) => find(list.value, words)}
        onChoose={({ key }) => location.assign(new URL(key, root))}
        message={message.value}
        describe={(words) => describeFound(list.value, words)}
        keys="Arrow keys choose, Enter opens, Escape closes."
      />
    </dialog>
  );
}

function find(list: ToolList | undefined, words: string): readonly Choice[] {
  const asked = words.trim().toLowerCase();
  const tools = list?.tools ?? [];
  const toChoice = ({ slug, title, summary }: ToolList["tools"][number]): Choice => ({
    title,
    summary,
    key: `tools/${slug}`,
  });
  if (asked === "") {
    const known = [...new Set([...favourites.peek(), ...recent.peek()])];
    const remembered = known.flatMap((slug) => tools.find((tool) => tool.slug === slug) ?? []);
    return [...remembered.map(toChoice), ...pages].slice(0, maxChoices);
  }
  const found = (list?.find(asked) ?? []).map(({ tool }) => toChoice(tool));
  const called = pages.filter(({ title }) => title.toLowerCase().includes(asked));
  return [...called, ...found].slice(0, maxChoices);
}
