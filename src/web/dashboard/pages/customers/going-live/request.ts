import { COMPANIES } from '../../../../../modules/customers/live/company.ts';
import { requestLiveAccess } from '../../../../../modules/customers/live/request-live-access.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { actOnForm, actorOf } from './live-act.ts';

/** POST /going-live/request: asks for live access. */
export function registerLiveRequest(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/going-live/request',
    { config: { right: 'ask-for-live-access', form: {} } },
    async (request, reply) => {
      if (!(await proveAct(request, reply, 'Request live access'))) return reply;
      await actOnForm(deps, request, COMPANIES, (tx) =>
        requestLiveAccess(deps, tx, actorOf(request)),
      );
      return reply.redirect('/going-live', 303);
    },
  );
}
