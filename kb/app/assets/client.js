// What happens in the browser, in the app and in the exported site alike: links without loading the page again, copying,
// replays. Texts come escaped from the server; what is shown as markup was made by kb.app.markup alone.
(function () {
  "use strict";
  if (window.kbClient) { window.kbClient.look(); return; }

  const app = !!document.querySelector(".stApp");
  const push = history.pushState.bind(history);
  let typed = window.kbTyped || 0, burst = 0;

  // Links ------------------------------------------------------------------
  // A link is a step of its own, however soon after typing it is followed.
  function go(href) {
    if (window.kbSite) { window.kbSite.go(href); return; }
    typed = burst = 0;
    push(null, "", href);
    window.dispatchEvent(new PopStateEvent("popstate"));
    const main = document.querySelector('[data-testid="stMain"]');
    if (main) main.scrollTo(0, 0);
  }
  document.addEventListener("click", function (event) {
    const act = event.target.closest ? event.target.closest("a[href], button[data-copy], button[data-copy-link]") : null;
    if (!act || !act.closest(".kb")) return;
    if (act.tagName === "A") {
      const href = act.getAttribute("href");
      if (!href.startsWith("?") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(href);
    } else if (act.dataset.copyLink !== undefined) {
      const base = location.href.split(/[?#]/)[0];
      copy(act, base + (window.kbSite ? "#" : "") + act.dataset.copyLink);
    } else {
      copy(act, act.dataset.copy);
    }
  });

  // Typing makes many addresses: they replace each other, so that "back" leaves the question.
  document.addEventListener("input", function (event) {
    if (event.target.matches && event.target.matches('input[type="search"], .st-key-box input')) typed = Date.now();
  }, true);
  window.addEventListener("popstate", function () { typed = burst = 0; });
  if (app) {
    history.pushState = function (state, title, url) {
      const now = Date.now();
      const same = now - typed < 2500 && now - burst < 6000;
      if (now - typed < 2500) burst = now;
      return same ? history.replaceState(state, title, url) : push(state, title, url);
    };
  }

  // A field takes a question that it has sent itself for an echo as long as no run that was not cut short has confirmed
  // it, so "forward" straight after "back" can leave it empty. When all is still, it takes what the address asks.
  let still = 0;
  function agree() {
    const field = document.querySelector(".st-key-box input"), page = document.querySelector('[data-testid="stApp"]');
    const asked = (new URLSearchParams(location.search).get("q") || "").trim();
    const quiet = field && page && page.dataset.testScriptState === "notRunning" && Date.now() - typed > 3000;
    if (!quiet || field.value.trim() === asked) { still = 0; return; }
    if (++still < 3) return;
    still = 0;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, asked);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    typed = 0;
  }
  if (app) setInterval(agree, 250);

  // Copying ----------------------------------------------------------------
  function copy(button, said) {
    const done = function () { tell(button, "Copied"); };
    if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(said).then(done, function () { offer(button, said); });
    else offer(button, said);
  }
  function tell(button, word) {
    const before = button.dataset.label || button.textContent;
    button.dataset.label = before;
    button.textContent = word;
    setTimeout(function () { button.textContent = before; }, 1600);
  }
  function offer(button, said) {
    let field = button.parentElement.querySelector(".copied");
    if (!field) {
      field = document.createElement("textarea");
      field.className = "copied"; field.readOnly = true; field.rows = 2;
      field.setAttribute("aria-label", "Text to copy");
      button.parentElement.appendChild(field);
    }
    field.value = said; field.focus(); field.select();
    let copied = false;
    try { copied = document.execCommand("copy"); } catch (error) { copied = false; }
    tell(button, copied ? "Copied" : "Selected: copy it");
  }

  // Pictures and replays ---------------------------------------------------
  function picture(box) {
    box.innerHTML = JSON.parse(box.dataset.svg);
    box.removeAttribute("data-svg");
  }
  function node(name, cls, said) {
    const made = document.createElement(name);
    if (cls) made.className = cls;
    if (said !== undefined) made.textContent = said;
    return made;
  }
  function rule(number) {
    const made = node("a", "num", number);
    made.href = "?rule=" + encodeURIComponent(number.indexOf(":") < 0 ? "core-1.4:" + number : number);
    return made;
  }
  function replay(box) {
    const data = JSON.parse(box.dataset.replay);
    box.removeAttribute("data-replay");
    box.textContent = "";
    let variant = 0, at = 0;
    const variants = node("div", "variants"), about = node("p", "whatif"), pane = node("div", "pane"), board = node("div", "board"), side = node("div", "side");
    const controls = node("div", "controls");
    side.style.display = "grid"; side.style.gap = ".6rem";
    const buttons = {};
    function control(key, label, sign, act) {
      const made = node("button", "act", sign);
      made.type = "button"; made.setAttribute("aria-label", label); made.title = label;
      made.addEventListener("click", act);
      buttons[key] = made; controls.appendChild(made);
    }
    const now = node("p", "now"), where = node("span", "where");
    now.setAttribute("aria-live", "polite"); where.setAttribute("aria-live", "polite");
    controls.appendChild(now);
    control("first", "First step", "«", function () { step(-9999); });
    control("back", "Step back", "‹", function () { step(-1); });
    controls.appendChild(where);
    control("on", "Step on", "›", function () { step(1); });
    control("last", "Last step", "»", function () { step(9999); });
    data.variants.forEach(function (one, index) {
      const made = node("button", "act", one.name);
      made.type = "button";
      made.addEventListener("click", function () { variant = index; at = Math.min(at, one.frames.length - 1); show(); });
      variants.appendChild(made);
    });
    about.setAttribute("aria-live", "polite");
    if (data.variants.length > 1) { box.appendChild(variants); box.appendChild(about); }
    pane.appendChild(board); pane.appendChild(side);
    box.appendChild(pane); box.appendChild(controls);
    function step(by) {
      const frames = data.variants[variant].frames;
      at = Math.max(0, Math.min(frames.length - 1, at + by));
      show();
    }
    function show() {
      const one = data.variants[variant], frame = one.frames[at];
      Array.from(variants.children).forEach(function (made, index) { made.setAttribute("aria-pressed", index === variant ? "true" : "false"); });
      board.innerHTML = frame.svg[0] + frame.svg.slice(1).map(function (index) { return data.pieces[index]; }).join("") + "</svg>";
      where.textContent = (at + 1) + " / " + one.frames.length;
      now.textContent = frame.did || "";
      buttons.first.disabled = buttons.back.disabled = at === 0;
      buttons.on.disabled = buttons.last.disabled = at === one.frames.length - 1;
      side.textContent = "";
      about.textContent = one.said; about.hidden = !one.said;
      if ((one.flips || []).length) {
        const flips = node("div", "whatif"), list = node("ul");
        flips.appendChild(node("p", "aside", "Then this turns out the other way:"));
        one.flips.forEach(function (said) { list.appendChild(node("li", "", said)); });
        flips.appendChild(list); side.appendChild(flips);
      }
      if (frame.did) { const did = node("h2", "did", frame.did); side.appendChild(did); }
      if (frame.events.length) {
        const list = node("div", "events");
        frame.events.forEach(function (event) {
          const line = node("div", "event d" + Math.min(event[0], 4) + (event[3] ? " minor" : ""));
          line.appendChild(node("span", "", event[1]));
          const cites = node("span", "cites");
          event[2].forEach(function (number) { cites.appendChild(rule(number)); });
          line.appendChild(cites); list.appendChild(line);
        });
        side.appendChild(list);
      }
      if (frame.asked) {
        const asked = node("div", "asked");
        asked.appendChild(node("p", "", frame.asked.said));
        const options = node("div", "options");
        frame.asked.options.forEach(function (said, index) {
          const chosen = (frame.asked.chosen || []).indexOf(index) >= 0;
          options.appendChild(node("span", "option" + (chosen ? " chosen" : ""), (chosen ? "✓ " : "") + said));
        });
        if (frame.asked.more) options.appendChild(node("span", "option", "and " + frame.asked.more + " more"));
        asked.appendChild(options); side.appendChild(asked);
      }
      if (one.end && at === one.frames.length - 1) side.appendChild(node("p", "note bad", one.end));
      box.dataset.at = String(at); box.dataset.variant = String(variant);
    }
    box.kbStep = step; box.kbTo = function (index) { at = 0; step(index); };
    show();
  }
  document.addEventListener("keydown", function (event) {
    const box = document.querySelector(".replay[data-at]");
    if (!box || event.target.closest("input, textarea, select, [role=slider], [role=combobox]")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -9999, End: 9999 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); box.kbStep(by);
  });

  // Looking for what is new on the page --------------------------------------
  let focused = "";
  function look() {
    document.querySelectorAll(".kb [data-svg]").forEach(picture);
    document.querySelectorAll(".kb [data-replay]").forEach(replay);
    const home = document.querySelector(".kb[data-home]");
    const place = location.search + location.hash;
    if (!home) { focused = ""; return; }
    const field = document.querySelector('.st-key-box input, input[type="search"]');
    if (field && focused !== "home" && !field.value) { focused = "home"; field.focus({ preventScroll: true }); }
  }
  // Another view of the same page begins at its top: what is left of the longer one goes, and would pull it down.
  let view = "";
  function start() {
    const found = document.querySelector(".kb [data-view]"), now = found ? found.dataset.view : "";
    const main = document.querySelector('[data-testid="stMain"]');
    if (now && view && now !== view && main) main.scrollTo(0, 0);
    view = now;
  }

  // What came as data is drawn before the browser paints, so that nothing moves under a finger; the rest can wait.
  let waiting = false;
  new MutationObserver(function () {
    document.querySelectorAll(".kb [data-svg]").forEach(picture);
    document.querySelectorAll(".kb [data-replay]").forEach(replay);
    start();
    if (waiting) return;
    waiting = true;
    setTimeout(function () { waiting = false; look(); }, 30);
  }).observe(document.documentElement, { childList: true, subtree: true });
  document.documentElement.lang = document.documentElement.lang || "en";
  window.kbClient = { look: look, go: go };
  look();
})();
