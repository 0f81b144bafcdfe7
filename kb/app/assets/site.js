// The exported site: addresses behind "#", chunks of pages, and a search by words with the BM25 of SQLite's FTS5.
(function () {
  "use strict";
  const waiting = {}, kept = {};
  let index = null, typing = false, turn = 0;

  function unpack(packed) {
    const raw = Uint8Array.from(atob(packed), function (c) { return c.charCodeAt(0); });
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }
  function unfold(parts) {  // texts, and pairs: how far back a copy begins, and how long it is
    let text = "";
    for (let at = 0; at < parts.length; at++) {
      if (typeof parts[at] === "string") { text += parts[at]; continue; }
      const start = text.length - parts[at++];
      text += text.slice(start, start + parts[at]);
    }
    return text;
  }
  function pagesOf(folded) {
    const text = unfold(folded.parts), found = {};
    let start = 0;
    folded.names.forEach(function (name, at) { found[name] = text.slice(start, start += folded.lengths[at]); });
    return found;
  }
  function take(name, packed) {
    unpack(packed).then(function (value) {
      if (value.parts) value = pagesOf(value);
      kept[name] = value;
      (waiting[name] || []).forEach(function (done) { done(value); });
      delete waiting[name];
      if (name === "index") { index = value; show(); }
    });
  }
  function chunk(name) {
    if (kept[name]) return Promise.resolve(kept[name]);
    return new Promise(function (done) {
      if (waiting[name]) { waiting[name].push(done); return; }
      waiting[name] = [done];
      const script = document.createElement("script");
      script.src = "data/" + name + ".js";
      document.head.appendChild(script);
    });
  }

  // Words ------------------------------------------------------------------
  const VOWEL = /[aeiouy]/;
  function consonant(word, at) {
    const c = word[at];
    if ("aeiou".indexOf(c) >= 0) return false;
    if (c === "y") return at === 0 || !consonant(word, at - 1);
    return true;
  }
  function measure(word) {
    let count = 0, vowel = false;
    for (let at = 0; at < word.length; at++) {
      if (!consonant(word, at)) vowel = true;
      else if (vowel) { count++; vowel = false; }
    }
    return count;
  }
  function hasVowel(word) {
    for (let at = 0; at < word.length; at++) if (!consonant(word, at)) return true;
    return false;
  }
  function doubled(word) {
    const n = word.length;
    return n > 1 && word[n - 1] === word[n - 2] && consonant(word, n - 1);
  }
  function short(word) {
    const n = word.length - 1;
    return n > 1 && consonant(word, n) && !consonant(word, n - 1) && consonant(word, n - 2) && "wxy".indexOf(word[n]) < 0;
  }
  const TWO = [["ational", "ate"], ["tional", "tion"], ["enci", "ence"], ["anci", "ance"], ["izer", "ize"], ["logi", "log"], ["bli", "ble"],
    ["alli", "al"], ["entli", "ent"], ["eli", "e"], ["ousli", "ous"], ["ization", "ize"], ["ation", "ate"], ["ator", "ate"], ["alism", "al"],
    ["iveness", "ive"], ["fulness", "ful"], ["ousness", "ous"], ["aliti", "al"], ["iviti", "ive"], ["biliti", "ble"]];
  const THREE = [["icate", "ic"], ["ative", ""], ["alize", "al"], ["iciti", "ic"], ["ical", "ic"], ["ful", ""], ["ness", ""]];
  const FOUR = ["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"];
  function ends(word, ending) { return word.length > ending.length && word.endsWith(ending); }
  function longest(word, table) {
    let best = null;
    table.forEach(function (one) {
      const ending = typeof one === "string" ? one : one[0];
      if (ends(word, ending) && (!best || ending.length > (typeof best === "string" ? best : best[0]).length)) best = one;
    });
    return best;
  }
  function stem(word) {
    if (word.length < 3 || word.length > 64) return word;
    if (/[^a-z]/.test(word)) { if (!/^[a-z0-9]+$/.test(word)) return word; }
    let w = word;
    if (w.endsWith("s")) {
      if (ends(w, "sses")) w = w.slice(0, -2);
      else if (ends(w, "ies")) w = w.slice(0, -2);
      else if (!w.endsWith("ss")) w = w.slice(0, -1);
    }
    let again = false;
    if (ends(w, "eed")) { if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1); }
    else if (ends(w, "ed") && hasVowel(w.slice(0, -2))) { w = w.slice(0, -2); again = true; }
    else if (ends(w, "ing") && hasVowel(w.slice(0, -3))) { w = w.slice(0, -3); again = true; }
    if (again) {
      if (ends(w, "at") || ends(w, "bl") || ends(w, "iz")) w += "e";
      else if (doubled(w) && "lsz".indexOf(w[w.length - 1]) < 0) w = w.slice(0, -1);
      else if (measure(w) === 1 && short(w)) w += "e";
    }
    if (ends(w, "y") && hasVowel(w.slice(0, -1))) w = w.slice(0, -1) + "i";
    const two = longest(w, TWO);
    if (two && measure(w.slice(0, -two[0].length)) > 0) w = w.slice(0, -two[0].length) + two[1];
    const three = longest(w, THREE);
    if (three && measure(w.slice(0, -three[0].length)) > 0) w = w.slice(0, -three[0].length) + three[1];
    const four = longest(w, FOUR);
    if (four) {
      const left = w.slice(0, -four.length);
      if (measure(left) > 1 && (four !== "ion" || /[st]$/.test(left))) w = left;
    }
    if (w.endsWith("e")) {
      const left = w.slice(0, -1), m = measure(left);
      if (m > 1 || (m === 1 && !short(left))) w = left;
    }
    if (measure(w) > 1 && doubled(w) && w.endsWith("l")) w = w.slice(0, -1);
    return w;
  }
  function words(text) {
    const said = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    return said.match(/[\p{L}\p{N}]+/gu) || [];
  }
  function plain(text) {
    let said = " " + text.toLowerCase().replace(/['’]/g, "").replace(/[^\p{L}\p{N}.]+/gu, " ") + " ";
    Object.keys(index.slang).forEach(function (key) {
      if (said.indexOf(" " + key + " ") >= 0) said = said.split(" " + key + " ").join(" " + index.slang[key] + " ");
    });
    return said;
  }
  // Typing errors: a word that nothing here holds is read as the nearest one that does (Damerau-Levenshtein).
  function distance(one, other, most) {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    let before = [], last = Array.from({ length: other.length + 1 }, function (_, at) { return at; });
    for (let i = 1; i <= one.length; i++) {
      const row = [i];
      let least = i;
      for (let j = 1; j <= other.length; j++) {
        const same = one[i - 1] === other[j - 1];
        let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
        row.push(cost);
        if (cost < least) least = cost;
      }
      if (least > most) return most + 1;
      before = last; last = row;
    }
    return last[other.length];
  }
  function nearest(said, known) {
    const most = said.length < 7 ? 1 : 2;
    let best = "", least = most + 1;
    known.forEach(function (one) {  // the first of those that are equally near: the most frequent
      if (one[0] !== said[0]) return;
      const far = distance(said, one, most);
      if (far < least) { best = one; least = far; }
    });
    return best;
  }
  const mends = {};
  function has(term) { return Object.prototype.hasOwnProperty.call(index.lexicon.terms, term); }
  function mended(word) {
    if (has(stem(word)) || word.length < 4 || !/^[a-z]+$/.test(word)) return word;
    if (!Object.prototype.hasOwnProperty.call(mends, word)) mends[word] = nearest(word, index.lexicon.words) || word;
    return mends[word];
  }
  function mendedWords(text) {
    return words(text).filter(function (word) { return index.lexicon.stop.indexOf(word) < 0 && mended(word) !== word; })
      .map(function (word) { return word + " → " + mended(word); });
  }
  function nearName(key) {
    if (key.length < 5) return "";
    return nearest(key, Object.keys(index.names).filter(function (one) { return index.names[one].length === 1; }));
  }
  function search(text, limit) {
    const lex = index.lexicon;
    let said = words(text);
    const telling = said.filter(function (word) { return lex.stop.indexOf(word) < 0; });
    said = Array.from(new Set((telling.length ? telling : said).map(function (word) { return stem(mended(word)); })));
    function often(term) { return has(term) ? lex.terms[term][0] : 0; }
    const rare = said.filter(function (term) { return often(term) <= lex.common * lex.docs; });
    said = rare.length >= 2 ? rare : said.sort(function (a, b) { return often(a) - often(b); }).slice(0, 2);
    const scores = new Map();
    said.forEach(function (term) {
      const list = has(term) ? lex.terms[term] : [0];
      const n = list[0];
      let idf = Math.log((lex.docs - n + 0.5) / (n + 0.5));
      if (idf <= 0) idf = 1e-6;
      let doc = 0;
      for (let at = 1; at < list.length; at += 2) {
        doc += list[at];
        const count = 0.6 * (list[at + 1] >> 6) + (list[at + 1] & 63);
        const gain = idf * (count * 2.2) / (count + 1.2 * (0.25 + 0.75 * lex.lengths[doc] / lex.mean));
        scores.set(doc, (scores.get(doc) || 0) + gain);
      }
    });
    const best = new Map();
    scores.forEach(function (score, doc) {
      const target = lex.targets[doc];
      if (target >= 0 && score > (best.get(target) || 0)) best.set(target, score);
    });
    return Array.from(best).sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; }).slice(0, limit).map(function (one) { return index.records[one[0]]; });
  }

  // Pages ------------------------------------------------------------------
  function shownNumber(ref) {
    const parts = ref.split(":");
    return parts[0] === "core-1.4" ? parts[1] : (parts[0].startsWith("tournament") ? "TR " : parts[0] + " ") + parts[1];
  }
  function element(name, cls, said) {
    const made = document.createElement(name);
    if (cls) made.className = cls;
    if (said !== undefined) made.textContent = said;
    return made;
  }
  function row(record) {
    const made = element("a", "row" + (record[0] === "rule" ? (record[3] ? " heading" : "") : " between"));
    made.href = "?" + record[0] + "=" + encodeURIComponent(record[1]);
    if (record[0] === "rule") made.appendChild(element("span", "num", shownNumber(record[1])));
    made.appendChild(element("span", "said", record[2]));
    if (record[0] === "ruling") {
      const parts = record[3].split(" ");
      const badge = element("span", "badge " + parts[0]);
      badge.appendChild(element("span", "sign", parts[1]));
      badge.appendChild(document.createTextNode(" " + parts.slice(2).join(" ")));
      made.appendChild(badge);
    } else if (record[0] === "card") made.appendChild(element("span", "source", "card"));
    return made;
  }
  function note(said) { return element("div", "note bad", said); }
  const main = function () { return document.getElementById("main"); };
  function put(nodes) { const place = main(); place.textContent = ""; nodes.forEach(function (one) { place.appendChild(one); }); window.kbClient && window.kbClient.look(); }
  function named(text) {
    const said = text.trim().toLowerCase().replace(/^(rule|cr)\s+/, "").replace(/[.?!]+$/, "");
    const ref = said.indexOf(":") > 0 ? said : "core-1.4:" + said;
    if (index.places.rule[ref] !== undefined) return ["rule", ref];
    const exact = Object.keys(index.places.card).find(function (name) { return name.toLowerCase() === text.trim().toLowerCase(); });
    if (exact) return ["card", exact];
    const heading = section(said);
    if (heading) return ["rule", heading];
    const key = words(text.replace(/['’]/g, "")).join(" ");
    const own = Object.prototype.hasOwnProperty.call(index.names, key);
    const cards = index.names[own ? key : nearName(key)];
    return cards && cards.length === 1 ? ["card", cards[0]] : null;
  }
  // A bare heading asks for its section, where there is one such section.
  function section(said) {
    const found = index.records.filter(function (one) {
      const words = one[2].toLowerCase().replace(/\.$/, "");
      return one[0] === "rule" && one[3] && one[1].indexOf(".", one[1].indexOf(":")) < 0 && (words === said || words === said + "s");
    }).map(function (one) { return one[1]; });
    const alike = found.filter(function (ref) { return ref.split(":")[0] === found[0].split(":")[0]; });
    return alike.length === 1 ? alike[0] : "";
  }
  function links(title, kind, names) {
    const line = element("p", "nearest", title);
    names.forEach(function (name) {
      const link = element("a", "pill", kind === "rule" ? shownNumber(name) : name);
      link.href = "?" + kind + "=" + encodeURIComponent(name);
      line.appendChild(link);
    });
    return line;
  }
  // Cards that a text names: the longest names first, each word of the text in one of them only.
  function cardsIn(text) {
    const said = words(text.replace(/['\u2019]/g, "")), found = [];
    for (let at = 0; at < said.length; at++) {
      for (let end = Math.min(said.length, at + 6); end > at; end--) {
        const key = said.slice(at, end).join(" ");
        if (!Object.prototype.hasOwnProperty.call(index.names, key)) continue;
        index.names[key].forEach(function (name) { if (found.indexOf(name) < 0) found.push(name); });
        at = end - 1;
        break;
      }
    }
    return found;
  }
  function missing(said) {
    const ref = said.indexOf(":") > 0 ? said : "core-1.4:" + said, document = ref.split(":")[0], number = ref.split(":")[1];
    const out = [note((index.titles[document] || document) + " has no rule " + number + ".")], parts = number.split(".");
    while (parts.length > 1) {
      parts.pop();
      const above = document + ":" + parts.join(".");
      if (index.places.rule[above] !== undefined) { out.push(links("Perhaps: ", "rule", [above])); break; }
    }
    put(out);
  }
  function results(text) {
    const direct = named(text);
    if (direct) { page(direct[0], direct[1]); return; }
    const bare = text.trim().toLowerCase().replace(/^(rule|cr)\s+/, "").replace(/[.?!]+$/, "");
    if (/^([a-z]+-[\d.-]+:)?\d{3}(\.[0-9a-z]+)*$/.test(bare)) { missing(bare); return; }
    const cards = cardsIn(text);
    if (cards.length > 1 && index.names[words(text).join(" ")]) { put([element("h1", "", text.trim() + " can mean " + cards.length + " cards"), links("", "card", cards)]); return; }
    let hits = search(text, 20);
    const more = search(plain(text), 20).filter(function (one) { return hits.indexOf(one) < 0; });
    hits = hits.concat(more).slice(0, 24);
    const rulings = hits.filter(function (one) { return one[0] === "ruling"; }), rules = hits.filter(function (one) { return one[0] === "rule"; });
    if (!hits.length && !cards.length) { put([note("Nothing here holds these words. Try others, a rule number, or a card.")]); return; }
    const out = [];
    const read = mendedWords(text);
    if (read.length) out.push(element("p", "lead", "Read as: " + read.join(", ")));
    if (cards.length) out.push(links(cards.length > 1 ? "Cards: " : "Card: ", "card", cards.slice(0, 8)));
    [["Rulings", rulings.slice(0, 8)], ["Rules", rules.slice(0, 14)]].forEach(function (group) {
      if (!group[1].length) return;
      out.push(element("h2", "", group[0]));
      const rows = element("div", "rows");
      group[1].forEach(function (one) { rows.appendChild(row(one)); });
      out.push(rows);
    });
    put(out);
  }
  function page(kind, value) {
    let place = (index.places[kind] || {})[value];
    if (kind === "rule" && place === undefined && value.indexOf(":") < 0) { value = "core-1.4:" + value; place = index.places.rule[value]; }
    if (place === undefined && kind === "rule") { missing(value); return; }
    if (place === undefined) { put([note("There is no " + (kind === "scenario" ? "position" : kind) + " named " + value.slice(0, 80) + " in this copy.")]); return; }
    const mine = turn;
    chunk(String(place)).then(function (pages) {
      if (mine !== turn) return;  // somebody went on while it was unpacked
      const made = element("div");
      made.innerHTML = pages[value];
      put([made]);
    });
  }
  function show() {
    if (!index) return;
    turn++;
    const params = new URLSearchParams(location.hash.slice(1).replace(/^\?/, ""));
    const box = document.getElementById("box");
    const asked = params.get("q") || "", place = params.get("page") || (params.get("rule") ? "rules" : params.get("ruling") ? "rulings" : params.get("card") || params.get("scenario") ? "none" : "");
    if (!typing) {
      box.value = asked;
      if (params.toString()) main().focus({ preventScroll: true });
    }
    document.querySelectorAll(".topbar a").forEach(function (one) {
      const here = new URLSearchParams(one.getAttribute("href").slice(1)).get("page") || "";
      if (here === place) one.setAttribute("aria-current", "page"); else one.removeAttribute("aria-current");
    });
    window.scrollTo(0, 0);
    const kind = ["scenario", "ruling", "rule", "card"].find(function (one) { return params.get(one); });
    if (kind) return page(kind, params.get(kind));
    if (params.get("page") === "rulings") return page("page", "rulings");
    if (params.get("page") === "rules") {
      const documents = Object.keys(index.places.page).filter(function (one) { return one.startsWith("rules "); }).map(function (one) { return one.slice(6); });
      const chosen = documents.indexOf(params.get("document")) >= 0 ? params.get("document") : documents[0];
      const mine = turn;
      return chunk(String(index.places.page["rules " + chosen])).then(function (pages) {
        if (mine !== turn) return;
        const bar = element("nav", "acts"), made = element("div");
        documents.forEach(function (one) { const link = element("a", "act", index.titles[one] || one); link.href = "?page=rules&document=" + one; if (one === chosen) link.setAttribute("aria-current", "page"); bar.appendChild(link); });
        made.innerHTML = pages["rules " + chosen];
        put([bar, made]);
      });
    }
    if (params.get("page")) return put([note("This copy has no such page: trying positions, the desk and importing are in the app on a computer.")]);
    if (params.get("q")) return results(params.get("q"));
    const welcome = element("p", "lead", index.welcome), title = element("h1", "welcome", "Riftbound rulings");
    const list = element("nav", "examples");
    list.setAttribute("aria-label", "Examples");
    ["I ran out of cards, do I get the point?", "stunned defender", "431.2.c", "Zhonya's Hourglass"].forEach(function (said) {
      const link = element("a", "", said); link.href = "?q=" + encodeURIComponent(said); list.appendChild(link);
    });
    put([title, welcome, element("h2", "eyebrow", "For example"), list]);
    box.focus({ preventScroll: true });
  }
  function go(href) { const target = "#" + href; if (location.hash === target) show(); else location.hash = target; }
  window.addEventListener("hashchange", show);
  document.addEventListener("submit", function (event) { if (event.target.id === "ask") { event.preventDefault(); go("?q=" + encodeURIComponent(document.getElementById("box").value.trim())); } });
  let timer = 0;
  document.addEventListener("input", function (event) {
    if (event.target.id !== "box") return;
    clearTimeout(timer);
    timer = setTimeout(function () {
      const said = event.target.value.trim();
      const old = location.hash.startsWith("#?q=");
      const target = "#" + (said ? "?q=" + encodeURIComponent(said) : "?");
      typing = true;
      if (old) history.replaceState(null, "", target); else history.pushState(null, "", target);
      show();
      typing = false;
    }, 250);
  });
  if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("worker.js").catch(function () {});
  window.kbSite = { take: take, go: go, stem: stem, search: function (text, limit) { return search(text, limit || 20); }, distance: distance, ready: function () { return !!index; } };
  if (typeof DecompressionStream === "undefined") document.addEventListener("DOMContentLoaded", function () { put([note("This browser is too old to unpack the pages: it needs one of 2023 or later.")]); });
})();
