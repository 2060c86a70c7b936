import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { pageOf, pageSchema } from './page-look-up.ts';
import { providerLink } from './provider-link.ts';
import { isRefresh, sendKycPage } from './send-kyc-page.tsx';

/** GET /kyc/:token: what is asked for, what has come, and what comes next. */
export function openKycPage(app: App, deps: HttpDeps): void {
  app.get(
    '/kyc/:token',
    { config: { public: true }, schema: pageSchema },
    async (request, reply) => {
      const page = pageOf(request);
      const url =
        page.step === 'AT_PROVIDER' && !isRefresh(request) ? providerLink(deps, page) : null;
      if (url !== null) return reply.redirect(url, 302);
      return sendKycPage(deps, request, reply, page);
    },
  );
}
