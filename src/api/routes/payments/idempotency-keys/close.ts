import { readHistory } from '../../../../db/payments/payment-history-store.ts';
import { witnessClosedKey } from '../../../../modules/payments/closed-key-witness.ts';
import { closeKey } from '../../../../modules/payments/close-key.ts';
import { openArrivals } from '../../../../modules/payments/open-arrivals.ts';
import { paymentView } from '../../../../modules/payments/payment-view.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import type { HttpDeps } from '../../../deps.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { KeyClosing, KeyToClose } from '../../../schemas/key-closing.ts';

/** POST /idempotency-keys/close */
export function closeIdempotencyKey(app: App, deps: HttpDeps): void {
  const { db, vault } = deps;
  app.post(
    '/idempotency-keys/close',
    {
      config: { permission: 'payments:write', ratePolicy: 'payments' },
      schema: {
        operationId: 'closeIdempotencyKey',
        summary: 'Close an idempotency key',
        description:
          'Closes a key permanently if no request was carried out with it: every later POST with the key, whatever its body, is a 409 `idempotency_key_closed`, and a pending item of a batch with the key is refused. If a request was carried out, the answer says so and nothing changes. While a request with the key is running, the answer is a 409 `idempotency_key_in_progress` and says nothing about it. Repeating the request returns the same state. The Idempotency-Key header is ignored.',
        tags: ['Payments'],
        body: KeyToClose,
        response: {
          200: KeyClosing,
          ...errorResponses(
            ['idempotency_key_required', 'invalid_idempotency_key', 'idempotency_key_in_progress'],
            { body: true },
          ),
        },
      },
    },
    async (request) => {
      const { scope, actor, body } = request;
      const key = body.idempotencyKey;
      const closing = await db.write(scope, async (tx) => {
        const closed = await closeKey(deps, tx, scope, { key, actor });
        if (closed.state !== 'PAYMENT') return { state: closed.state };
        const { payment } = closed;
        const history = await readHistory(tx, scope, [payment.id]);
        const arrivalOf = await openArrivals(deps, tx, scope, [payment]);
        const arrival = arrivalOf(payment, history);
        return { state: closed.state, payment: paymentView(payment, { history, arrival }, vault) };
      });
      // Before the answer, and again with each one: what the partner was told outlives the database.
      if (closing.state === 'CLOSED') {
        request.log.info(witnessClosedKey(vault, scope, key), 'idempotency key closed');
      }
      return closing as never;
    },
  );
}
