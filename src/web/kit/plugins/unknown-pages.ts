import { noSuchPage } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/** Paths and methods that no page serves, before anything of the request is judged. */
export function installUnknownPages(app: WebApp): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw noSuchPage();
  });
  app.setNotFoundHandler(() => {
    throw noSuchPage();
  });
}
