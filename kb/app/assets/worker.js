// Keeps the whole site on the device once it was opened over http.
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(MARK).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== MARK).map((name) => caches.delete(name)))));
});
self.addEventListener("fetch", (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || fetch(event.request)));
});
