import { unmaskPayment } from '../../../../modules/payments/unmask-payment.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { Unmasked } from '../../parts/unmasked.tsx';

/** POST /{env}/payments/{id}/unmask: shows once what is masked on the payment's page, and writes the look down. */
export function registerUnmaskPayment(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/payments/:paymentId/unmask',
    { config: { right: 'unmask-personal-data', form: {} } },
    async (request, reply) => {
      const { scope, user, environment } = requirePlace(request);
      const { paymentId } = request.params as { readonly paymentId: string };
      const shown = await deps.db.write(scope, async (tx) => {
        await request.sentForm?.use(tx);
        const actor = { kind: 'USER', id: user.id } as const;
        return unmaskPayment(deps, tx, scope, { paymentId, actor });
      });
      const current = `/${environment}/payments`;
      return sendDashboardPage(request, reply.code(201), {
        ...{ title: 'Personal data of a payment', environment, current },
        body: (
          <Unmasked
            of={{ href: `${current}/${paymentId}`, text: 'Payment', here: paymentId }}
            at={timeText(user.timeZone).moment(deps.clock.now())}
            data={shown && { ...shown.beneficiary, ...shown.written }}
          />
        ),
      });
    },
  );
}
