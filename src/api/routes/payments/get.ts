import { Type } from 'typebox';
import { readHistory } from '../../../db/payments/payment-history-store.ts';
import { findPayment } from '../../../db/payments/payment-store.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { openArrivals } from '../../../modules/payments/open-arrivals.ts';
import { paymentView } from '../../../modules/payments/payment-view.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../schemas/error.ts';
import { Payment } from '../../schemas/payment.ts';

/** GET /payments/:paymentId */
export function getPayment(app: App, deps: HttpDeps): void {
  app.get(
    '/payments/:paymentId',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'getPayment',
        summary: 'Read a payment',
        tags: ['Payments'],
        params: Type.Object({ paymentId: Type.String({ description: 'The id of the payment.' }) }),
        response: { 200: Payment, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      deps.db.read(scope, async (tx) => {
        const payment = requireFound(await findPayment(tx, scope, params.paymentId));
        const history = await readHistory(tx, scope, [payment.id]);
        const arrivalOf = await openArrivals(deps, tx, scope, [payment]);
        const arrival = arrivalOf(payment, history);
        return paymentView(payment, { history, arrival }, deps.vault) as never;
      }),
  );
}
