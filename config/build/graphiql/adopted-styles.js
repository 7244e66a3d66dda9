// In the place of react-style-singleton's element <style>, which our Content-Security-Policy forbids: a sheet that is
// made by script is of the script (CSP 3 §6.7.3 speaks of elements and attributes only).
export const stylesheetSingleton = () => {
  let uses = 0;
  let sheet;
  return {
    add(text) {
      if (uses++ > 0) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    remove() {
      if (--uses > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  };
};
