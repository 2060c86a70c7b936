import type { App } from '../deps.ts';

/** Headers that keep answers out of caches and browsers from guessing. */
export function installAnswerHeaders(app: App): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
}
