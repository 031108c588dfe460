// The segment after the open one came with it, as text. Once a person asks for it, it replaces the open one on
// the screen at once; what belongs to that one is out of reach until the page has drawn the new one itself.
let wasThere = null;
const showAhead = (place) => {
  const ahead = heldIn(document.querySelector(`.bs-ahead[data-place="${place}"]`)).children;
  const [head, texts] = [document.querySelector(".bs-opened"), document.querySelector(".bs-reading")];
  const around = texts?.closest(".st-key-open-segment");
  if (!ahead.length || !head || !around || wasThere || document.querySelector(EXCHANGED)) return;
  const row = document.querySelector(`.bs-row[data-place="${place}"]`);
  const focused = around.contains(document.activeElement) ? document.activeElement : null;
  wasThere = { head, texts, around, focused, row, of: [[...head.childNodes], [...texts.childNodes]] };
  head.replaceChildren(...ahead[0].childNodes);
  texts.replaceChildren(...ahead[1].childNodes);
  head.dataset.place = place;
  around.inert = true;
  if (row) row.hidden = true;
};
const endAhead = (open) => { // with the place that is open
  if (!wasThere) return;
  const { head, texts, around, focused, row, of } = wasThere;
  wasThere = null;
  around.inert = false;
  if (row) row.hidden = false;
  if (head.isConnected && Number(head.dataset.place) !== open) { // it was not drawn: what was there is there again
    head.replaceChildren(...of[0]);
    texts.replaceChildren(...of[1]);
    head.dataset.place = open;
  }
  if (focused?.isConnected) focused.focus({ preventScroll: true });
};
