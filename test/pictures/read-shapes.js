// Runs in a page (draw.ts): reads what it shows, in the order in which it is painted.
(() => {
  const shapes = [];
  const round = (value) => Math.round(value * 10) / 10;
  const isSeen = (fill) => fill !== "none" && !/^rgba\(.*, 0\)$/.test(fill);

  function addBox({ x, y, width, height }, fill, radius = 0, stroke = "none", line = 0) {
    if (width <= 0 || height <= 0) return;
    const box = { x: round(x), y: round(y + scrollY), width: round(width), height: round(height) };
    shapes.push({
      kind: "box",
      ...box,
      radius: round(radius),
      fill: isSeen(fill) ? fill : "none",
      stroke,
      line,
    });
  }

  function addText(text, { x, y, width, height }, style, isLink = false) {
    const size = parseFloat(style.fontSize);
    shapes.push({
      kind: "text",
      text,
      isLink,
      x: round(x),
      // About where the baseline of most fonts is.
      y: round(y + scrollY + height / 2 + size * 0.35),
      width: round(width),
      size: round(size),
      weight: style.fontWeight,
      isMono: style.fontFamily.includes("mono"),
      fill: style.color,
    });
  }

  function addElement(element) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (element.type === "checkbox" || element.type === "radio")
      return addBox(box, element.checked ? style.accentColor : "none", 2, style.color, 1);
    if (element.tagName === "rect") return addBox(box, style.fill);
    if (element instanceof HTMLMeterElement) {
      addBox(box, "rgb(239, 239, 239)", box.height / 2);
      return addBox(
        { x: box.x, y: box.y, height: box.height, width: (box.width * element.value) / element.max },
        "rgb(16, 124, 16)",
        box.height / 2,
      );
    }
    const line = parseFloat(style.borderTopWidth);
    const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.height / 2);
    const bottom = parseFloat(style.borderBottomWidth);
    if (line > 0 && parseFloat(style.borderLeftWidth) > 0)
      addBox(box, style.backgroundColor, radius, style.borderTopColor, line);
    else {
      if (isSeen(style.backgroundColor) && element !== document.body)
        addBox(box, style.backgroundColor, radius);
      if (bottom > 0)
        addBox({ ...box.toJSON(), y: box.bottom - bottom, height: bottom }, style.borderBottomColor);
      if (line > 0) addBox({ ...box.toJSON(), height: line }, style.borderTopColor);
    }
    if (element instanceof HTMLTextAreaElement)
      for (const [index, text] of element.value.split("\n").entries()) {
        const height = parseFloat(style.lineHeight);
        const width = text.length * parseFloat(style.fontSize) * 0.6;
        if (text !== "")
          addText(text, { x: box.x + 12, y: box.y + 8 + index * height, width, height }, style);
      }
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) {
      const text =
        element instanceof HTMLSelectElement ? (element.selectedOptions[0]?.text ?? "") : element.value;
      const inner = {
        x: box.x + 12,
        y: box.y,
        width: Math.min(box.width - 40, text.length * parseFloat(style.fontSize) * 0.52),
        height: box.height,
      };
      if (text !== "") addText(text, inner, style);
    }
  }

  /** A text node may have several lines, also within a word. */
  function addLines(node) {
    const style = getComputedStyle(node.parentElement);
    const isLink = node.parentElement.closest("nav") !== null;
    const range = document.createRange();
    let line;
    for (const { index, 0: character } of node.data.matchAll(/\S/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + character.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      if (line !== undefined && Math.abs(line.box.y - y) < 2) {
        line.text += index > line.end ? ` ${character}` : character;
        line.box.width = x + width - line.box.x;
        line.end = index + character.length;
        continue;
      }
      if (line !== undefined) addText(line.text, line.box, style, isLink);
      line = { text: character, end: index + character.length, box: { x, y, width, height } };
    }
    if (line !== undefined) addText(line.text, line.box, style, isLink);
  }

  const isHidden = (element) =>
    element.matches("script, style, noscript, option, title, .unseen, .skip") ||
    !element.checkVisibility({ visibilityProperty: true });

  function walk(element) {
    if (isHidden(element)) return;
    addElement(element);
    // What CodeMirror shows is in a shadow tree.
    for (const child of (element.shadowRoot ?? element).childNodes) {
      if (child instanceof Element) walk(child);
      else if (child instanceof Text && child.data.trim() !== "" && !(element instanceof HTMLMeterElement))
        addLines(child);
    }
  }

  walk(document.body);
  const end =
    document.querySelector("main > :last-child > :last-child")?.getBoundingClientRect().bottom ?? innerHeight;
  const whole = Math.ceil(Math.max(end + scrollY, 300) + 24);
  const background = getComputedStyle(document.body).backgroundColor;
  return { width: innerWidth, height: whole, background, shapes };
})();
