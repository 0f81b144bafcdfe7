// The app takes over from the first page as soon as it has drawn the same: scroll, open details and what was typed go along.
(function () {
  "use strict";
  const first = document.getElementById("first"), root = document.getElementById("root"), box = first.querySelector("input");
  const before = box.value;
  const seen = new MutationObserver(over);
  function over() {
    const field = root.querySelector(".st-key-box input");
    if (!field || !root.querySelector(".kb .foot")) return;
    seen.disconnect();
    const drawn = root.querySelectorAll(".kb details");
    first.querySelectorAll(".kb details").forEach(function (one, index) { if (one.open && drawn[index]) drawn[index].open = true; });
    const typed = box.value, held = document.activeElement === box, at = [box.selectionStart, box.selectionEnd], down = first.scrollTop;
    first.remove();
    if (held) field.focus({ preventScroll: true });
    if (typed !== before) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, typed);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (held) field.setSelectionRange(at[0], at[1]);
    const main = document.querySelector('[data-testid="stMain"]');
    if (main) main.scrollTo(0, down);
  }
  seen.observe(root, { childList: true, subtree: true });
})();
