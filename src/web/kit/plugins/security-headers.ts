import type { WebApp } from '../web-deps.ts';

/** Our own script, style, pictures, requests and forms; no frame, no base, no sink that takes text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types causeway',
].join('; ');

export const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // Two years, as the preload lists want; ignored over plain http.
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Paths hold ids and tokens. `no-referrer` would make browsers send `Origin: null` with our own forms.
  'referrer-policy': 'strict-origin',
  'cache-control': 'no-store',
};

/** On every answer, refusals included; a route may say another `cache-control`. */
export function installSecurityHeaders(app: WebApp): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(SECURITY_HEADERS);
  });
}
