// What events make of an item, as the server folds them: the state that it sent, and what it has not acknowledged yet.
export const applied = (state, body) => {
  const marks = { ...state.marks };
  switch (body.kind) {
    case "marked":
    case "changed":
      marks[body.mark_id] = body.mark;
      return { ...state, marks };
    case "removed":
      delete marks[body.mark_id];
      return { ...state, marks };
    case "scored":
      return { ...state, score: body.score };
    case "commented":
      return { ...state, comment: body.comment };
    case "finished":
      return { ...state, is_finished: true };
    case "reopened":
      return { ...state, is_finished: false };
    default:
      return state;
  }
};

// What takes an event back, seen from the state before it; null for what is not taken back.
export const inverse = (state, body) => {
  const before = state.marks[body.mark_id];
  switch (body.kind) {
    case "marked":
      return { kind: "removed", mark_id: body.mark_id };
    case "changed":
      return before && { kind: "changed", mark_id: body.mark_id, mark: before };
    case "removed":
      return before && { kind: "marked", mark_id: body.mark_id, mark: before };
    case "scored":
      return { kind: "scored", score: state.score };
    case "commented":
      return { kind: "commented", comment: state.comment };
    default:
      return null;
  }
};

const SIDES = ["source", "target", "missing"];
export const inOrder = (marks) => Object.entries(marks).sort(([, one], [, other]) =>
  (one.side === "source") - (other.side === "source") || one.start - other.start || one.end - other.end ||
  SIDES.indexOf(one.side) - SIDES.indexOf(other.side));

// A window is somebody's at one time: the server knows by its name that what it sends is not in conflict with itself.
export const newName = (n = 8) => [...crypto.getRandomValues(new Uint8Array(n))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
