import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { addMenuKeys } from "./menu-keys.ts";

export interface MenuItem {
  text: ComponentChildren;
  hint?: ComponentChildren;
  icon?: string;
  /** The URL that the item leads to; an item without it acts. */
  href?: string;
  isCurrent?: boolean;
  /** Whether the item warns. */
  isDanger?: boolean;
  /** Names the item for screen readers, if its text does not say what it acts on. */
  label?: string;
  act?(): void;
}

/** Undefined stands for a line between items. */
type MenuItems = readonly (MenuItem | undefined)[];

export interface MenuProps {
  /** Names the menu, and the button if it shows an icon only. */
  label: string;
  /** The content of the button. */
  children: ComponentChildren;
  /** Class of the button. */
  class?: string;
  /** A function, if making them takes time: it is called while the menu is open. */
  items: MenuItems | (() => MenuItems);
  /** Stands below the items, such as a message. */
  note?: string | undefined;
  /** Whether the button shows no text. */
  isIcon?: boolean;
  isAtEnd?: boolean;
  onOpen?(): void;
}

/** A button that opens a list of things to do (ARIA Authoring Practices, menu button). */
export function Menu(props: MenuProps): JSX.Element {
  const { label, children, items, note, isIcon = false, isAtEnd = false, onOpen } = props;
  const id = `menu-${useId()}`;
  const menu = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const newest = useRef(onOpen);
  newest.current = onOpen;

  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    addMenuKeys(element);
    // Before the menu is shown, so that it has its items when the keys look for the first one.
    element.addEventListener("beforetoggle", (event) => {
      isOpen.value = event.newState === "open";
      if (isOpen.value) newest.current?.();
    });
  }, []);

  return (
    <>
      <button
        type="button"
        class={props.class ?? "quiet small"}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        {...(isIcon && { "aria-label": label, title: label })}
      >
        {children}
      </button>
      <div
        ref={menu}
        popover="auto"
        id={id}
        class={isAtEnd ? "menu at-end" : "menu"}
        role="menu"
        aria-label={label}
      >
        <ul role="none">
          {isOpen.value
            ? (typeof items === "function" ? items() : items).map((item, index) =>
                item === undefined ? (
                  <li role="separator" key={index} />
                ) : (
                  <li role="none" key={index}>
                    <Item {...item} />
                  </li>
                ),
              )
            : null}
          {note === undefined ? null : (
            <li class="note" role="presentation">
              {note}
            </li>
          )}
        </ul>
      </div>
    </>
  );
}

function Item({ text, hint, icon, href, isCurrent = false, isDanger, label, act }: MenuItem): JSX.Element {
  const content = (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      <span>
        {text}
        {hint === undefined ? null : <span class="hint"> {hint}</span>}
      </span>
    </>
  );
  if (href !== undefined)
    return (
      <a role="menuitem" href={href} tabIndex={-1} {...(isCurrent && { "aria-current": "page" })}>
        {content}
      </a>
    );
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-label={label}
      class={isDanger ? "danger" : undefined}
      onClick={act}
    >
      {content}
    </button>
  );
}
