import { formatAmount } from '../../../domain/money/amount.ts';
import type { Money } from '../../../domain/ledger/movements.ts';
import {
  validateOrder,
  validationOfRefused,
  type Validation,
} from '../../../payments/validate-order.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { errorResponses } from '../../schemas/error.ts';
import { NewPayment } from '../../schemas/payment.ts';
import { PaymentValidation } from '../../schemas/payment-validation.ts';
import { readOrder } from './read-order.ts';

/** POST /payments/validate: what POST /payments would answer now, without an effect. */
export function validatePayment(app: App, deps: HttpDeps): void {
  app.post(
    '/payments/validate',
    {
      config: { permission: 'payments:write' },
      schema: {
        operationId: 'validatePayment',
        summary: 'Check a payment without making it',
        description:
          'The body of a payment, judged as POST /payments would judge it now: every problem at once, what it costs, and when it is expected to arrive. Nothing is stored or reserved; an Idempotency-Key is not looked at.',
        tags: ['Payments'],
        body: NewPayment,
        response: {
          200: PaymentValidation,
          ...errorResponses(['unsupported_currency', 'amount_precision_exceeded'], { body: true }),
        },
      },
    },
    async (request) => {
      const { scope } = request;
      const validation = await Promise.resolve()
        .then(() => readOrder(request, request.body))
        .then((order) => deps.db.read(scope, (tx) => validateOrder(deps, tx, scope, order)))
        .catch(validationOfRefused);
      return viewValidation(validation);
    },
  );
}

function viewValidation({ problems, cost, corridor, arrival }: Validation) {
  return {
    valid: problems.length === 0,
    problems: [...problems],
    cost: cost && {
      source: viewMoney(cost.source),
      fees: cost.fees.map(viewMoney),
      total: viewMoney(cost.total),
      rate: cost.rate,
      quoteId: cost.quoteId,
      indicative: cost.isIndicative,
    },
    corridor: corridor && {
      country: corridor.country,
      currency: corridor.currency,
      rail: corridor.rail,
      status: corridor.status,
      cutOff: corridor.cutOff,
    },
    expectedArrival: { at: arrival.at?.toISOString() ?? null, reason: arrival.reason },
  };
}

const viewMoney = ({ currency, minor }: Money) => ({
  currency,
  amount: formatAmount(minor, currency),
});
