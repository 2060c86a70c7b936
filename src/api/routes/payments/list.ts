import { Type } from 'typebox';
import { readHistory } from '../../../db/payments/payment-history-store.ts';
import { listPayments as list } from '../../../db/payments/payment-list-store.ts';
import { openArrivals } from '../../../modules/payments/open-arrivals.ts';
import { paymentView } from '../../../modules/payments/payment-view.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../web/kit/http/lists.ts';
import { errorResponses } from '../../schemas/error.ts';
import { listOf, listQuery, Moment } from '../../schemas/list.ts';
import { ExternalPaymentId, Payment, PaymentStatus } from '../../schemas/payment.ts';
import { readMoments } from '../read-moments.ts';

const LIST = 'payments';

const Id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

/** GET /payments */
export function listPayments(app: App, deps: HttpDeps): void {
  app.get(
    '/payments',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'listPayments',
        summary: 'List payments',
        tags: ['Payments'],
        querystring: listQuery({
          status: Type.Optional(PaymentStatus),
          endUserId: Id('Returns only payments of this end-user.'),
          bankAccountId: Id('Returns only payments to this bank account.'),
          walletId: Id('Returns only payments to this wallet.'),
          externalId: Type.Optional(ExternalPaymentId),
          idempotencyKey: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              description: 'Returns only the payment made with this idempotency key.',
              examples: ['5f0c7b1e-4f7e-4a41-9d0a-2d9b6f3f8a10'],
            }),
          ),
          createdAfter: Moment('Returns only payments accepted after this time.'),
          createdBefore: Moment('Returns only payments accepted before this time.'),
        }),
        response: {
          200: listOf(Payment, 'Payments, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, query }) =>
      deps.db.list(scope, async (tx) => {
        const filter = { ...query, ...readMoments(query) };
        const page = await list(tx, scope, filter, pageRequest(query, LIST));
        const ids = page.items.map((payment) => payment.id);
        const history = await readHistory(tx, scope, ids);
        const arrivalOf = await openArrivals(deps, tx, scope, page.items);
        return listAnswer(page, LIST, (payment) => {
          const own = history.filter((row) => row.paymentId === payment.id);
          const arrival = arrivalOf(payment, own);
          return paymentView(payment, { history: own, arrival }, deps.vault) as never;
        });
      }),
  );
}
