import type { App } from '../../web/kit/http/app-type.ts';

/** Answers are data: a browser that opens one shows no page, and nothing frames it. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Two years; ignored over plain http.
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Headers that keep answers out of caches and browsers from guessing; pages say their own policy. */
export function installAnswerHeaders(app: App): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(HEADERS);
  });
}
