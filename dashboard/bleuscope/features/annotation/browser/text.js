// Where a text can be cut, and what arrows step over. Offsets are JavaScript's (UTF-16) in here; events and marks have
// code points. No place lies inside a grapheme: a letter with its marks, an emoji of several signs.
const WRITTEN_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const SPACE = /^[\s\p{Cf}]*$/u;
const segmenter = (lang, granularity) => {
  try {
    return new Intl.Segmenter(lang || undefined, { granularity });
  } catch { // no code of a language
    return new Intl.Segmenter(undefined, { granularity });
  }
};


const tokensOf = (text, lang, cuts, isCut) => {
  const found = [];
  for (const { segment, index, isWordLike } of segmenter(lang, "word").segment(text)) {
    if (SPACE.test(segment)) continue;
    const end = index + segment.length;
    if (!isCut.has(index) && found.length) { // a part of a grapheme stays with the token before
      found.at(-1).end = Math.max(found.at(-1).end, cutAfter(cuts, end));
    } else if (isWordLike && WRITTEN_WITHOUT_SPACES.test(segment)) {
      for (let at = cutIndex(cuts, index); cuts[at] < end; at += 1) found.push({ start: cuts[at], end: cuts[at + 1] });
    } else {
      found.push({ start: index, end: cutAfter(cuts, end) });
    }
  }
  return found;
};
const cutIndex = (cuts, offset) => { // of the last cut that is not after an offset
  let low = 0, high = cuts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cuts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};
const cutAfter = (cuts, offset) => {
  const found = cutIndex(cuts, offset);
  return cuts[found] === offset ? offset : cuts[found + 1];
};

// The server has graphemes of its own, as code points: no place lies inside one of those either.
export const readText = (text, lang = "", clusters = []) => {
  const unitOf = [], pointOf = new Uint32Array(text.length + 1); // of each code point its offset, and the other way
  let unit = 0;
  for (const letter of text) {
    pointOf.fill(unitOf.length, unit, unit + letter.length);
    unitOf.push(unit);
    unit += letter.length;
  }
  pointOf[unit] = unitOf.length;
  unitOf.push(unit);
  const inside = new Set(clusters.flatMap(([start, end]) => unitOf.slice(start + 1, end)));
  const found = [...segmenter(lang, "grapheme").segment(text)].map((one) => one.index).filter((one) => !inside.has(one));
  const cuts = [...found, text.length];
  const tokens = tokensOf(text, lang, cuts, new Set(cuts));
  return { text, cuts, tokens, unitOf, pointOf, length: text.length };
};

export const nearestCut = (read, offset) => {
  const before = read.cuts[cutIndex(read.cuts, offset)], after = cutAfter(read.cuts, offset);
  return offset - before <= after - offset ? before : after;
};

export const tokenAt = (read, offset) => read.tokens.find((one) => one.start <= offset && offset < one.end) ??
  read.tokens.findLast((one) => one.end <= offset) ?? read.tokens[0] ?? { start: 0, end: 0 };

// What lies one step further in the order of reading; after the last token comes the end, where text can be missing.
export const tokenBeside = (read, range, isForward) => isForward
  ? read.tokens.find((one) => one.start >= range.end && one.end > range.start) ?? { start: read.length, end: read.length }
  : read.tokens.findLast((one) => one.end <= range.start) ?? read.tokens[0] ?? range;

export const graphemeBeside = (read, offset, isForward) => {
  const at = cutIndex(read.cuts, offset);
  return read.cuts[Math.min(Math.max(at + (isForward ? 1 : -1), 0), read.cuts.length - 1)];
};

export const toPoints = (read, { start, end }) => ({ start: read.pointOf[start], end: read.pointOf[end] });
export const toUnits = (read, { start, end }) => {
  const last = read.unitOf.length - 1;
  return { start: read.unitOf[Math.min(start, last)], end: read.unitOf[Math.min(end, last)] };
};

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
export const directionOf = (text) => { // as dir="auto" finds it: by the first letter
  const first = [...text].find((letter) => LETTER.test(letter));
  return first && RIGHT_TO_LEFT.test(first) ? "rtl" : "ltr";
};
