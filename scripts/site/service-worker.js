/** Answers the API of the example from its static files. */
import { handle } from 'catalogue-handler';

const scope = new URL(self.registration.scope);
const origin = scope.href.slice(0, -1);

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.url.startsWith(scope.href)) event.respondWith(handle(event.request, origin, event));
});
