import { COMPANIES, startCompanyCheck } from '../../../../../modules/customers/live/company.ts';
import { isDecided } from '../../../../../domain/parties/kyc/kyc-states.ts';
import { kycCheckRef } from '../../../../../modules/parties/kyc/start-kyc.ts';
import { notNow } from '../../../../kit/page-refusal.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { actOnForm, actorOf } from './live-act.ts';

/** POST /going-live/check: starts the check of the company, or gives an open one a new link. */
export function registerCheck(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/going-live/check',
    { config: { right: 'write-company', form: {} } },
    async (request, reply) => {
      if (!deps.isCompanyCheckServed) throw notNow();
      if (!(await proveAct(request, reply, 'Start the check of the company'))) return reply;
      const backTo = `${deps.dashboardUrl}/going-live`;
      const { check, isNew } = await actOnForm(deps, request, COMPANIES, (tx) =>
        startCompanyCheck(deps, tx, actorOf(request), backTo),
      );
      if (!isDecided(check.status)) {
        const ref = kycCheckRef(COMPANIES, check);
        const start = isNew ? 'startKycCheck' : 'restartKycCheck';
        // Where this is lost, the reconciler starts it.
        void deps.workflows[start](ref, request.id).catch(() => undefined);
      }
      return reply.redirect('/going-live', 303);
    },
  );
}
