import { Type } from 'typebox';
import { readHistory } from '../../../db/payments/payment-history-store.ts';
import { findPayment } from '../../../db/payments/payment-store.ts';
import { readAttempts } from '../../../db/payments/settlement-attempt-store.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { timelineOf } from '../../../modules/payments/timeline.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../static-lists.ts';
import { errorResponses } from '../../schemas/error.ts';
import { listOf, staticListQuery } from '../../schemas/list.ts';
import { TimelineRow } from '../../schemas/payment.ts';

/** GET /payments/:paymentId/timeline */
export function getPaymentTimeline(app: App, deps: HttpDeps): void {
  app.get(
    '/payments/:paymentId/timeline',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'getPaymentTimeline',
        summary: 'Read the timeline of a payment',
        description:
          'Lists what happened to the payment, oldest first, and then what is expected next.',
        tags: ['Payments'],
        params: Type.Object({ paymentId: Type.String({ description: 'The id of the payment.' }) }),
        querystring: staticListQuery({}),
        response: {
          200: listOf(TimelineRow, 'The steps of the payment.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, params, query }) =>
      deps.db.read(scope, async (tx) => {
        const payment = requireFound(await findPayment(tx, scope, params.paymentId));
        const history = await readHistory(tx, scope, [payment.id]);
        const attempts = await readAttempts(tx, scope, payment.id);
        const rows = timelineOf(payment, history, attempts, deps.clock.now());
        return staticListAnswer(rows, query, 'timeline') as never;
      }),
  );
}
