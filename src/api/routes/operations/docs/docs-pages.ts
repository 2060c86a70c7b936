import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiOf } from '../../../openapi/openapi.ts';
import type { OpenApi } from '../../../../web/docs/reference/open-api.ts';
import { createDocsSite, type DocsSite } from '../../../../web/docs/site.ts';
import { sendRefusal } from '../../../../web/kit/plugins/refusals.ts';
import { SECURITY_HEADERS } from '../../../../web/kit/plugins/security-headers.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';

/** Our own script, style and requests; no form is sent, and no sink takes text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = { ...SECURITY_HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY };

/** Addresses of files name their content; pages are asked about each time, and mostly answered by 304. */
const FILE_CACHE = 'public, max-age=31536000, immutable';
const PAGE_CACHE = 'no-cache';

/**
 * GET /docs and all below it: guides, reference, events and errors, without a key. The site is made of the running
 * service's own document at the first request, and kept; what goes wrong is a page.
 */
export function registerDocsPages(app: App, { settings }: HttpDeps): void {
  let made: DocsSite | null = null;
  const site = (): DocsSite => {
    // Only a service that is ready knows all of its routes.
    made ??= createDocsSite(openApiOf(app) as unknown as OpenApi, settings.publicUrl);
    return made;
  };
  const base = basePath(settings.publicUrl);
  app.setErrorHandler((error, request, reply) =>
    // That page has another script, with a policy of its own.
    sendRefusal(error, request, reply.headers(SECURITY_HEADERS), `${base}/docs`),
  );
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(HEADERS);
  });
  const options = { config: { public: true }, schema: { hide: true } } as const;
  app.get('/docs', options, async (request, reply) =>
    sendPage(site(), `${base}/docs`, request, reply),
  );
  app.get(
    '/docs/*',
    { ...options, schema: { hide: true, params: Type.Object({ '*': Type.String() }) } },
    async (request, reply) => {
      const rest = request.params['*'];
      const path = `${base}/docs/${rest}`;
      const asset = site().asset(path);
      if (asset !== null) {
        return reply.header('cache-control', FILE_CACHE).type(asset.type).send(asset.bytes);
      }
      const slashless = path.replace(/\/+$/, '');
      if (slashless !== path && site().page(slashless) !== null) {
        return reply.redirect(slashless, 308);
      }
      return sendPage(site(), path, request, reply);
    },
  );
}

function sendPage(site: DocsSite, path: string, request: FastifyRequest, reply: FastifyReply) {
  const html = site.page(path);
  void reply.type('text/html; charset=utf-8');
  if (html === null) return reply.code(404).send(site.missing());
  const tag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ 'cache-control': PAGE_CACHE, etag: tag });
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim());
  // Proxies that compress mark the tag as a weak one.
  const isKnown = known?.some((one) => one.replace(/^W\//, '') === tag) === true;
  return isKnown ? reply.code(304).send() : reply.send(html);
}

/** The path that the whole service is under, without a slash at its end; none where it is only described. */
const basePath = (publicUrl: string): string =>
  URL.canParse(publicUrl) ? new URL(publicUrl).pathname.replace(/\/$/, '') : '';
