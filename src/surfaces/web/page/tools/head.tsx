import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { copy } from "../clipboard.ts";
import { favourites, toggleFavourite } from "../home/history.ts";
import { openToolList, type ToolList } from "../home/tool-list.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import type { Definition } from "./definition.ts";
import { toLink, toLinkWithDocuments } from "./link.ts";
import { showSize } from "./sizes.ts";
import { setOptions, type ToolState } from "./state.ts";

export interface HeadProps {
  state: ToolState;
  root: URL;
  isElsewhereOpen: boolean;
  onElsewhere(): void;
}

/** The name of the tool, with its category, and what may be done with the page. Without a script, the server sends a part of it. */
export function Head({ state, root, isElsewhereOpen, onElsewhere }: HeadProps): JSX.Element {
  const { definition } = state;
  const source = useRef<HTMLSpanElement>(null);
  const said = useSignal("");

  /** Copies a link, or shows it selected where the browser refuses that. */
  async function share(link: URL): Promise<void> {
    if (source.current === null) return;
    source.current.textContent = link.href;
    said.value = (await copy(source.current))
      ? "Copied the link"
      : "Selected. Press Ctrl+C, or Command+C, to copy";
  }

  const examples = definition.examples.map(({ title, input: { data, ...options } }, index): MenuItem => ({
    text: title ?? (index === 0 ? "A plain one" : `Example ${index + 1}`),
    act() {
      setOptions(state, { ...definition.page?.start, ...options });
      if (typeof data === "string") state.input.value = { kind: "text", text: data };
    },
  }));
  const links = (): readonly MenuItem[] => {
    const input = state.input.value;
    const whole = toLinkWithDocuments(state, root, input.kind === "text" ? input.text : "");
    const plain: MenuItem = {
      icon: "link",
      text: "Copy a link with these options",
      act: () => void share(toLink(state, root)),
    };
    if (whole === undefined) return [plain];
    const hint = `${showSize(whole.hash.length)}, in the fragment`;
    return [
      plain,
      { icon: "link", text: "Copy a link with the document", hint, act: () => void share(whole) },
    ];
  };
  return (
    <div class="tool-head">
      <Siblings definition={definition} root={root} />
      <h1>{definition.title}</h1>
      <Star slug={definition.slug} />
      <p class="summary cut">{definition.summary}</p>
      <span class="end tool-actions">
        <span class="wide-only">
          <Menu label="Examples" items={examples} isAtEnd>
            Examples <Icon name="down" />
          </Menu>
          <Menu label="Share" items={links} isAtEnd>
            <Icon name="link" /> Share
          </Menu>
          <button type="button" class="quiet small" aria-expanded={isElsewhereOpen} onClick={onElsewhere}>
            <Icon name="format" /> Use it elsewhere
          </button>
        </span>
        <span class="narrow-only">
          <Menu
            label="More: examples, share, use it elsewhere"
            class="quiet only small"
            items={() => [
              ...examples,
              undefined,
              ...links(),
              undefined,
              { text: "Use it elsewhere", act: onElsewhere },
            ]}
            isIcon
            isAtEnd
          >
            <Icon name="more" />
          </Menu>
        </span>
      </span>
      <span ref={source} class="unseen" />
      <span class="unseen" role="status">
        {said.value}
      </span>
    </div>
  );
}

/** The category, with the other tools in it. */
function Siblings({ definition, root }: { definition: Definition; root: URL }): JSX.Element {
  const list = useSignal<ToolList | undefined>(undefined);
  const message = useSignal<string | undefined>(undefined);
  const { category, slug, shownCategory } = definition;
  const tools = list.value?.tools.filter((tool) => tool.category === category) ?? [];
  return (
    <Menu
      label={`${shownCategory.name}: other tools`}
      class="quiet small crumb"
      items={tools.map((tool) => ({
        text: tool.title,
        href: new URL(`tools/${tool.slug}`, root).href,
        isCurrent: tool.slug === slug,
      }))}
      note={message.value ?? (list.value === undefined ? "Loading …" : undefined)}
      onOpen={() =>
        void openToolList(root).then(
          (found) => (list.value = found),
          (error: unknown) => (message.value = (error as Error).message),
        )
      }
    >
      <Icon name={shownCategory.icon} />
      <span>{shownCategory.name}</span>
      <Icon name="down" />
    </Menu>
  );
}

function Star({ slug }: { slug: string }): JSX.Element {
  return (
    <button
      type="button"
      class="quiet only small star"
      aria-label="Favourite"
      title="Favourite"
      aria-pressed={favourites.value.includes(slug)}
      onClick={() => toggleFavourite(slug)}
    >
      <Icon name="star" />
    </button>
  );
}
