import { formatAmount } from '../../../domain/money/amount.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';
import { totalOf } from '../../../domain/payments/price-order.ts';
import {
  validateOrder,
  validationOfRefused,
  type OrderCost,
  type Validation,
} from '../../../modules/payments/validate-order.ts';
import { viewFee } from '../../../modules/payments/quotes/fee-view.ts';
import { viewArrival } from '../../../modules/payments/view-arrival.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../schemas/error.ts';
import { NewPayment } from '../../schemas/payment.ts';
import { PaymentValidation } from '../../schemas/payment-validation.ts';
import { readPaymentOrder } from './read-payment-order.ts';

/** POST /payments/validate: what POST /payments would answer now, without an effect. */
export function validatePayment(app: App, deps: HttpDeps): void {
  app.post(
    '/payments/validate',
    {
      config: { permission: 'payments:write' },
      schema: {
        operationId: 'validatePayment',
        summary: 'Validate a payment',
        description:
          'Checks the body of a payment as POST /payments would now. The answer lists every problem, the cost, and the expected arrival. Nothing is stored or reserved. The Idempotency-Key is ignored.',
        tags: ['Payments'],
        body: NewPayment,
        response: {
          200: PaymentValidation,
          ...errorResponses(
            [
              ...(['unsupported_currency', 'unsupported_asset', 'unsupported_network'] as const),
              'amount_precision_exceeded',
            ],
            { body: true },
          ),
        },
      },
    },
    async (request) => {
      const { scope } = request;
      const validation = await Promise.resolve()
        .then(() => readPaymentOrder(request, request.body))
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
    cost: cost && viewCost(cost),
    corridor: corridor && {
      country: corridor.country,
      currency: corridor.currency,
      rail: corridor.rail,
      status: corridor.status,
      cutOff: corridor.cutOff,
    },
    expectedArrival: viewArrival(arrival),
  };
}

function viewCost(cost: OrderCost) {
  const { source, rate, rateHeldUntil, requoteUntil, fees, quoteId, isIndicative } = cost;
  const { currency, minor } = source;
  const total = totalOf({ source, rate, fees });
  return {
    source: { ...unitOf(currency), amount: formatAmount(total, currency) },
    withoutFees: { ...unitOf(currency), amount: formatAmount(minor, currency) },
    fees: fees.map((fee) => viewFee(fee, currency)),
    rate,
    rateHeldUntil: rateHeldUntil?.toISOString() ?? null,
    requoteUntil: requoteUntil?.toISOString() ?? null,
    quoteId,
    indicative: isIndicative,
  };
}
