// Texts of a page whose contrast with what is behind them is below 4.5 (icons, and the piece of a line before its name in a
// chart: 3, as WCAG 2.2 has it for what is no text):
// all of them, in place of axe's rule, which leaves some to us.
// Left out are texts that nobody can press, and those on stripes, whose colours a test computes.
(() => {
  const numbers = (colour) => {
    const found = (colour.match(/[0-9.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return colour.startsWith("color(") ? found.map((one, at) => (at < 3 ? 255 * one : one)) : found; // of a mixture
  };
  const over = ([red, green, blue, alpha = 1], opacity, ground) =>
    [red, green, blue].map((one, at) => one * alpha * opacity + ground[at] * (1 - alpha * opacity));
  const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) =>
    0.05 + 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const around = (element) => (element ? [...around(element.parentElement), element] : []);
  const contrast = (element) => {
    const looks = around(element).map((one) => getComputedStyle(one));
    const ground = looks.reduce((under, look) => over(numbers(look.backgroundColor), 1, under), [255, 255, 255]);
    const opacity = looks.reduce((product, look) => product * Number(look.opacity), 1);
    const { color, fill } = looks.at(-1);
    const ink = over(numbers(element.closest("svg") ? fill : color), opacity, ground);
    const [darker, brighter] = [light(ink), light(ground)].sort((one, other) => one - other);
    return brighter / darker;
  };
  const isText = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    [...element.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim()) &&
    !element.closest(":disabled, .bs-clipped, style, script, canvas") &&
    (!element.closest("svg") || element.closest(".main-svg :is([class*=tick], .infolayer)"));
  const texts = [...document.querySelectorAll("body *")].filter(isText);
  const isDrawn = (element) =>
    element.matches("[data-testid=stIconMaterial]") || (element.closest("svg") && element.textContent.trim() === "━");
  const least = (element) => (isDrawn(element) ? 3 : 4.5);
  return texts.filter((one) => contrast(one) < least(one)).map((one) => [one.textContent.slice(0, 40), contrast(one)]);
})()
