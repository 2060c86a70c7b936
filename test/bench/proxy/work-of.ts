import { isWriting, type Transaction } from './transaction-reader.ts';

/** What a transaction is for. */
export type Work = 'accept' | 'settle' | 'deliveries' | 'other';

/**
 * In this order, by what stands in any statement of the transaction. A payment's transactions write
 * rows for webhooks too; those of a delivery touch nothing of a payment.
 */
const SIGNS: readonly (readonly [Work, RegExp])[] = [
  ['accept', /find_api_key|\binsert into (payments|idempotency_keys)\b/i],
  ['settle', /\b(payments|settlement_attempts|payment_history|balances)\b/i],
  ['deliveries', /\bwebhook_(deliveries|endpoints|attempts)\b|_webhook_drain\b/i],
];

/** What is done for a customer enters its scope, or is looked up before a scope is known. */
const FOR_A_CUSTOMER = /'causeway\.customer'|find_api_key|_webhook_drain\b/;

/**
 * Tells by the texts of a transaction what it is for. A look at every customer's rows that changes
 * nothing is `other`: the reconciler, statements, schedules, whose number depends on the time that passes.
 */
export function workOf({ statements }: Pick<Transaction, 'statements'>): Work {
  const hasSign = (sign: RegExp) => statements.some((text) => sign.test(text));
  if (!hasSign(FOR_A_CUSTOMER) && !statements.some(isWriting)) return 'other';
  return SIGNS.find(([, sign]) => hasSign(sign))?.[0] ?? 'other';
}
