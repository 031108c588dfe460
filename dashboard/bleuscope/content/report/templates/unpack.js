"use strict";
/* What the scripts beneath share: reads a text that stands deflated in the page. */
const canUnpack = "DecompressionStream" in window;

async function unpacked(id) {
  const holder = document.getElementById(id), binary = atob(holder.textContent);
  holder.remove();
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
