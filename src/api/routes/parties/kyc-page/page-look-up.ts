import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readKycPage, type KycPage } from '../../../../modules/parties/kyc/kyc-page.ts';
import { PageRefusal } from '../../../../web/kit/page-refusal.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import type { RateLimits } from '../../../plugins/rate-limit.ts';

const TokenParams = Type.Object({ token: Type.String() });

/** What every route of the page says: no key is asked for, and partners' documents do not show it. */
export const pageSchema = { hide: true, params: TokenParams } as const;

/** One page for every token that opens nothing, whatever the reason. */
export const deadLink = () =>
  new PageRefusal(
    404,
    'This link does not work',
    'It may have run out, or a newer one has taken its place. Ask the company that sent it to you for a new one.',
  );

const pages = new WeakMap<FastifyRequest, KycPage>();

/** Looks up what a request's token opens, before any of its body is read. Unknown tokens count as failures. */
export function installPageLookUp(app: App, deps: HttpDeps, limits: RateLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    const { token = '' } = request.params as { token?: string };
    const page = await readKycPage(deps, token);
    if (page === null) {
      await limits.chargeFailure(reply, request.clientAddress);
      throw deadLink();
    }
    pages.set(request, page);
  });
}

/** What the request's token opened when it came. */
export function pageOf(request: FastifyRequest): KycPage {
  const page = pages.get(request);
  if (page === undefined) throw new Error('no token was looked up');
  return page;
}
