// What the pen says, in sentences. Texts go into the page as text alone.
const LONGEST = 60;
export const cut = (text) => text.length > LONGEST ? `${[...text].slice(0, LONGEST).join("")}…` : text;
export const quoted = (text) => `“${cut(text)}”`;
export const categoryOf = (mark) => mark.category ? mark.category.split("/").at(-1).toLowerCase() : "";
export const kindOf = (mark) => [mark.severity, categoryOf(mark)].filter(Boolean).join(", ");

export const whatIsMarked = (mark, text) => {
  if (mark.side !== "missing") return quoted(text.slice(mark.start, mark.end));
  const before = text.slice(0, mark.start).trimEnd().split(/\s/).at(-1);
  if (mark.start === text.length) return "missing text at the end";
  return before ? `missing text after ${quoted(before)}` : "missing text at the beginning";
};
export const markWords = (mark, text) =>
  `${kindOf(mark)}: ${whatIsMarked(mark, text)}${mark.side === "source" ? " in the source" : ""}`;

const TWO_MARKS = "Another window marked this at the same time. Both marks are kept: remove the wrong one.";
export const CONFLICTS = { // what two windows did at once, and what became of it
  marks: TWO_MARKS,
  mark: TWO_MARKS,
  score: "Another window gave another score. The later score counts.",
  comment: "Another window wrote a comment too. Both are kept.",
};

export const savedWords = (nWaiting, isLate) => {
  if (!nWaiting) return "Saved";
  if (!isLate) return "Saving …";
  return `${nWaiting} not saved yet. This browser keeps ${nWaiting === 1 ? "it" : "them"} and sends again.`;
};

export const keysOf = (scheme, direction) => {
  const [before, after] = direction === "rtl" ? ["←", "→"] : ["→", "←"];
  return [
    [[before, after], "go word by word"],
    [["⇧", before], "select more words"],
    [["Alt", "⇧", before], "select letter by letter"],
    [["↓", "↑"], "go line by line"],
    ...scheme.severities.map((one, at) => [[String(at + 1)], `mark as ${one.name}`]),
    ...scheme.categories.map((one) => [[one.key.toUpperCase()], one.parts.length ? `${one.name}, then a letter` : one.name]),
    [["M"], "text is missing before the word"],
    [["⇧", "M"], "text is missing at the end"],
    [["C"], "comment on the mark, or on the translation"],
    [["Delete"], "remove the mark"],
    [["Z"], "undo"],
    ...(scheme.has_slider ? [[["0–9"], "type the score, on the scale"]] : []),
    [["Tab"], "go to the source, the scale, the buttons"],
    [["Esc"], "select nothing"],
    [["Enter"], scheme.has_slider ? "go to the score; then finish, and on" : "finish, and on to the next"],
    [["?"], "this list"],
  ];
};

export const howTo = (scheme, isTouch) => {
  const severities = scheme.severities.map((one, at) => [String(at + 1), one.name]);
  const start = isTouch
    ? ["Tap a wrong word, tap another to select up to it. Then choose how bad it is."]
    : ["Drag over an error, or use the arrow keys with", ["⇧"], "then press"];
  const levels = severities.flatMap(([key, name]) => isTouch ? [] : [[key], name]);
  const kind = scheme.categories.length && !isTouch ? ["and a letter for its kind."] : [];
  const score = scheme.has_slider ? ["At the end give a score."] : [];
  const end = isTouch ? score : [...score, ["Enter"], "next,", ["?"], "all keys."];
  return [...start, ...levels, ...kind, ...end];
};
