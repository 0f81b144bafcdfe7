// The app takes over from the first page as soon as it has drawn the same: focus, scroll, open details and what was typed
// go along. Where it shows something else (a progress bar, a problem) the first page only makes room.
(function () {
  "use strict";
  const first = document.getElementById("first"), root = document.getElementById("root"), box = first.querySelector("input");
  const before = box.value, parts = ".kb a, .kb summary, .kb button";
  const seen = new MutationObserver(over);
  root.inert = true;
  let waiting = 0;
  function over() {
    const field = root.querySelector(".st-key-box input");
    if (field && root.querySelector(".kb .foot")) handed(field);
    else if (root.querySelector("[data-testid=stException], [data-testid=stProgress]")) gone();
    else if (!waiting && root.querySelector("[data-test-script-state=notRunning] .kb")) {
      // A page that ends without a foot tells a problem; one whose box is being loaded still gets it.
      waiting = setTimeout(function () { if (first.isConnected) gone(); }, 6000);
    }
  }
  function gone() {
    seen.disconnect();
    root.inert = false;
    first.remove();
  }
  function handed(field) {
    const drawn = root.querySelectorAll(".kb details"), active = document.activeElement;
    first.querySelectorAll(".kb details").forEach(function (one, index) { if (drawn[index]) drawn[index].open = one.open; });
    const typed = box.value, held = active === box, at = [box.selectionStart, box.selectionEnd], down = first.scrollTop;
    const index = Array.from(first.querySelectorAll(parts)).indexOf(active);
    gone();
    if (held) field.focus({ preventScroll: true });
    else if (index >= 0) (root.querySelectorAll(parts)[index] || field).focus({ preventScroll: true });
    if (typed !== before) {
      window.kbTyped = Date.now(); // client.js is loaded after this
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, typed);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (held) field.setSelectionRange(at[0], at[1]);
    const main = document.querySelector('[data-testid="stMain"]');
    if (main) main.scrollTo(0, down);
  }
  seen.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-test-script-state"] });
  over();
})();
