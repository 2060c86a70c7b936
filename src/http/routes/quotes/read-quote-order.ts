import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { parseAmount } from '../../../domain/money/amount.ts';
import { isCurrency } from '../../../domain/money/currencies.ts';
import type { QuoteOrder } from '../../../quotes/quote-order.ts';
import { describeAmountProblem } from '../../amount-problem.ts';
import type { NewQuote } from '../../schemas/quote.ts';

/**
 * The order in a body that fits the schema. The amount is read from the JSON text itself, so no digit
 * passes through a double. All problems at once.
 */
export function readQuoteOrder(request: FastifyRequest, body: Static<typeof NewQuote>): QuoteOrder {
  const { sourceCurrency, targetCurrency, lockFor } = body;
  const problems = [
    ...currencyProblems('/sourceCurrency', sourceCurrency),
    ...currencyProblems('/targetCurrency', targetCurrency),
  ];
  if (sourceCurrency === targetCurrency) {
    const message = 'A quote is between two currencies.';
    problems.push({ path: '/targetCurrency', code: 'same_currency', message });
  }
  const fixedSide = body.sourceAmount === undefined ? 'TARGET' : 'SOURCE';
  if ((body.sourceAmount === undefined) === (body.targetAmount === undefined)) {
    const message = 'Give exactly one of sourceAmount and targetAmount.';
    problems.push({ path: '/sourceAmount', code: 'one_amount_needed', message });
    throw refuseProblems(problems);
  }
  const field =
    fixedSide === 'SOURCE'
      ? { path: '/sourceAmount', currency: sourceCurrency }
      : { path: '/targetAmount', currency: targetCurrency };
  let amount = 0n;
  if (isCurrency(field.currency)) {
    const parsed = parseAmount(request.decimalText(field.path) ?? '', field.currency);
    if (parsed.ok) amount = parsed.minor;
    else problems.push(describeAmountProblem(parsed.problem, field));
  }
  if (problems.length > 0) throw refuseProblems(problems);
  return { sourceCurrency, targetCurrency, fixedSide, amount, lockFor };
}

function currencyProblems(path: string, currency: string): Problem[] {
  if (isCurrency(currency)) return [];
  const message = 'This is not a supported ISO 4217 currency code.';
  return [{ path, code: 'unsupported_currency', message }];
}
