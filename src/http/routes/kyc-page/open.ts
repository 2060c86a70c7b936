import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { findKycLink } from '../../../db/kyc-check-store.ts';
import { hashLinkToken, kycCheckRow, LINK_TOKEN } from '../../../kyc/kyc-link.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { EXPIRED_PAGE, PREPARING_PAGE, UNKNOWN_PAGE } from './pages.ts';

const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** GET /kyc/:token: where an end-user begins, who has nothing but the link. Outside of /api/v1. */
export function openKycPage(app: App, deps: HttpDeps): void {
  const { db, vault, clock } = deps;
  app.get(
    '/kyc/:token',
    {
      config: { public: true },
      schema: {
        hide: true,
        params: Type.Object({ token: Type.String() }),
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      const link = LINK_TOKEN.test(token)
        ? await findKycLink(db, hashLinkToken(vault, token))
        : null;
      if (link === null || isErased(link)) return sendPage(reply, 404, UNKNOWN_PAGE);
      if (link.expiresAt <= clock.now()) return sendPage(reply, 410, EXPIRED_PAGE);
      if (link.providerUrl === null) return sendPage(reply, 200, PREPARING_PAGE);
      const url = vault.of(link).open(link.providerUrl, kycCheckRow(link.id)).toString();
      return reply.headers(PAGE_HEADERS).redirect(url, 302);
    },
  );
}

function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}
