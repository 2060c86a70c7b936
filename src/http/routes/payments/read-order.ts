import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Refusal, type Problem } from '../../../domain/errors/refusal.ts';
import { parseAmount } from '../../../domain/money/amount.ts';
import { isCurrency } from '../../../domain/money/currencies.ts';
import type { PaymentOrder } from '../../../payments/payment-order.ts';
import { describeAmountProblem } from '../../amount-problem.ts';
import type { NewPayment } from '../../schemas/payment.ts';

const METADATA_BYTES_MAX = 8 * 1024;

/**
 * The order in a body that fits the schema. The amount is read from the JSON text itself, so no digit
 * passes through a double. All problems at once.
 */
export function readOrder(request: FastifyRequest, body: Static<typeof NewPayment>): PaymentOrder {
  const problems: Problem[] = [];
  const metadata = body.metadata ?? {};
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    const message = 'metadata must stay within 8 kB of JSON.';
    problems.push({ path: '/metadata', code: 'too_large', message });
  }
  let amount = 0n;
  if (isCurrency(body.currency)) {
    const parsed = parseAmount(request.decimalText('/amount') ?? '', body.currency);
    if (parsed.ok) amount = parsed.minor;
    else {
      const field = { path: '/amount', currency: body.currency };
      problems.push(describeAmountProblem(parsed.problem, field));
    }
  } else {
    const message = 'This is not a supported ISO 4217 currency code.';
    problems.push({ path: '/currency', code: 'unsupported_currency', message });
  }
  if (body.sourceCurrency !== undefined && !isCurrency(body.sourceCurrency)) {
    const message = 'This is not a supported ISO 4217 currency code.';
    problems.push({ path: '/sourceCurrency', code: 'unsupported_currency', message });
  }
  refuse(problems);
  return {
    endUserId: body.endUserId,
    bankAccountId: body.bankAccountId,
    amount,
    currency: body.currency,
    sourceCurrency: body.sourceCurrency ?? null,
    quoteId: body.quoteId ?? null,
    externalId: body.externalId ?? null,
    reference: body.reference ?? null,
    purpose: body.purpose ?? null,
    metadata,
  };
}

function refuse(problems: readonly Problem[]): void {
  const first = problems[0];
  if (first === undefined) return;
  const isAlone = problems.length === 1;
  if (isAlone && first.code === 'amount_precision_exceeded') {
    throw new Refusal('amount_precision_exceeded', first.message, problems);
  }
  if (isAlone && first.code === 'unsupported_currency') {
    throw new Refusal('unsupported_currency', first.message, problems);
  }
  throw new Refusal('validation_failed', 'The request does not fit the schema.', problems);
}
