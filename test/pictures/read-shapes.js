// Runs in a page (draw.ts): reads what it shows, in the order in which it is painted.
(() => {
  const shapes = [];
  const round = (value) => Math.round(value * 10) / 10;
  const isSeen = (fill) => fill !== "none" && !/^rgba\(.*, 0\)$/.test(fill);

  /** The visible part of an element within the scrolling elements around it; undefined outside of all of them. */
  let clip;

  function clipped(box) {
    if (clip === undefined) return box;
    const [x, y] = [Math.max(box.x, clip.x), Math.max(box.y, clip.y)];
    const width = Math.min(box.x + box.width, clip.x + clip.width) - x;
    const height = Math.min(box.y + box.height, clip.y + clip.height) - y;
    return { x, y, width, height };
  }

  function addBox(whole, fill, radius = 0, stroke = "none", line = 0) {
    const { x, y, width, height } = clipped(whole);
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
    const seen = clipped({ x, y, width, height });
    // A line of which most is outside.
    if (seen.height < height / 2 || seen.width < width / 2) return;
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

  /** A drawing without text, such as an icon: a copy in the colours that it has. */
  function addDrawing(drawing) {
    const { x, y, width, height } = drawing.getBoundingClientRect();
    const seen = clipped({ x, y, width, height });
    if (seen.height < height / 2 || seen.width < width / 2) return;
    const used = drawing.querySelector("use");
    const source = used === null ? drawing : document.querySelector(used.getAttribute("href"));
    const style = getComputedStyle(drawing);
    const copy = source.cloneNode(true);
    if (used === null)
      for (const [index, part] of [...source.children].entries())
        copy.children[index].setAttribute("fill", getComputedStyle(part).fill);
    shapes.push({
      kind: "drawing",
      x: round(x),
      y: round(y + scrollY),
      width: round(width),
      height: round(height),
      viewBox: source.getAttribute("viewBox"),
      fill: style.fill,
      stroke: used === null ? "none" : style.stroke,
      line: used === null ? 0 : parseFloat(style.strokeWidth),
      content: copy.innerHTML.trim(),
    });
  }

  function addElement(element) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (element.type === "checkbox" || element.type === "radio")
      return addBox(box, element.checked ? style.accentColor : "none", 2, style.color, 1);
    if (element.tagName === "rect") return addBox(box, style.fill);
    if (element.tagName === "line")
      return addBox({ ...box.toJSON(), height: Math.max(box.height, 1) }, style.stroke);
    if (element instanceof HTMLDialogElement) {
      const scrim = getComputedStyle(element, "::backdrop").backgroundColor;
      addBox({ x: 0, y: -scrollY, width: innerWidth, height: innerHeight + scrollY }, scrim);
    }
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
      for (const [index, text] of linesIn(element, style).entries()) {
        const height = parseFloat(style.lineHeight);
        const width = text.length * parseFloat(style.fontSize) * 0.6;
        if (text !== "")
          addText(text, { x: box.x + 12, y: box.y + 8 + index * height, width, height }, style);
      }
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) {
      const text =
        element instanceof HTMLSelectElement
          ? (element.selectedOptions[0]?.text ?? "")
          : element.value || element.placeholder;
      const inner = {
        x: box.x + 12,
        y: box.y,
        width: Math.min(box.width - 40, text.length * parseFloat(style.fontSize) * 0.52),
        height: box.height,
      };
      if (text !== "")
        addText(text, inner, element.value === "" ? getComputedStyle(element, "::placeholder") : style);
    }
    const [, before] = /^"(.+)"$/.exec(getComputedStyle(element, "::before").content) ?? [];
    if (before !== undefined && element.textContent === "") {
      const width = Math.min(before.length * parseFloat(style.fontSize) * 0.6, box.width);
      addText(before, { x: box.x + (box.width - width) / 2, y: box.y, width, height: box.height }, style);
    }
  }

  /** The lines of a text area, of letters that are as wide as each other. */
  function linesIn({ value, clientWidth }, { fontSize }) {
    const columns = Math.max(Math.floor((clientWidth - 24) / (parseFloat(fontSize) * 0.6)), 1);
    return value.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""]);
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
    element.matches("script, style, noscript, option, title, .unseen, .skip, .sprite") ||
    // An element without a box of its own counts as invisible, but what is in it need not be.
    (getComputedStyle(element).display !== "contents" &&
      !element.checkVisibility({ visibilityProperty: true }));

  function walk(element) {
    if (isHidden(element)) return;
    const before = clip;
    const { display, overflow, position } = getComputedStyle(element);
    if (position === "fixed") clip = undefined;
    if (element.matches("svg:not(:has(text, line))")) addDrawing(element);
    else {
      if (display !== "contents") addElement(element);
      if (overflow !== "visible" && element !== document.body && display !== "contents")
        clip = clipped(element.getBoundingClientRect().toJSON());
      walkChildren(element);
    }
    clip = before;
  }

  function walkChildren(element) {
    // What CodeMirror shows is in a shadow tree.
    for (const child of (element.shadowRoot ?? element).childNodes) {
      if (child instanceof Element) walk(child);
      else if (child instanceof Text && child.data.trim() !== "" && !(element instanceof HTMLMeterElement))
        addLines(child);
    }
  }

  walk(document.body);
  const end = Math.max(...shapes.filter(({ kind }) => kind === "text").map(({ y }) => y));
  const whole = Math.min(Math.ceil(Math.max(end, 300) + 24), document.documentElement.scrollHeight);
  const background = getComputedStyle(document.body).backgroundColor;
  return { width: innerWidth, height: whole, background, shapes };
})();
