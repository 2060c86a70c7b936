import type { ScopedTransaction } from '../../../../db/client/database.ts';
import type { PaymentFilter } from '../../../../db/payments/payment-list-store.ts';
import { findPaymentIdByReference } from '../../../../db/payments/settlement-attempt-store.ts';
import { ID_PREFIXES, isId } from '../../../../domain/ids.ts';
import {
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../../../domain/payments/payment-states.ts';
import type { Scope } from '../../../../domain/scope.ts';
import type { FormValues } from '../../../kit/forms/read-form.ts';
import { checkDay, oneOf, withinDays } from '../../../kit/forms/filter-rules.ts';

/** The filters of the list of payments, as its form sends them. */
export const PAYMENT_FILTERS = {
  status: { what: 'a status', ...oneOf(PAYMENT_STATUSES), isOptional: true },
  from: { what: 'a day', lengthMax: 10, check: checkDay, isOptional: true },
  to: { what: 'a day', lengthMax: 10, check: checkDay, isOptional: true },
  search: { what: 'text to search for', lengthMax: 255, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

export type PaymentFilterValues = FormValues<typeof PAYMENT_FILTERS>;

/** What is asked of every payment, whatever is searched for. Days are of the reader's time zone. */
export const commonFilter = (values: PaymentFilterValues, zone: string): PaymentFilter => ({
  ...(values.status !== '' && { status: values.status as PaymentStatus }),
  ...withinDays(values, zone),
});

const REFERENCE = /^CW[0-9A-Z]{28}$/;

/**
 * What a search narrows the list by: an id says itself of what; a reference of ours at the bank is looked up;
 * other text is the customer's own id of a payment or, where none has that, an idempotency key.
 */
export async function searchFilters(
  tx: ScopedTransaction,
  scope: Scope,
  search: string,
): Promise<readonly PaymentFilter[]> {
  if (search === '') return [{}];
  if (isId(ID_PREFIXES.payment, search)) return [{ id: search }];
  if (isId(ID_PREFIXES.endUser, search)) return [{ endUserId: search }];
  if (isId(ID_PREFIXES.bankAccount, search)) return [{ bankAccountId: search }];
  if (isId(ID_PREFIXES.wallet, search)) return [{ walletId: search }];
  const own = [{ externalId: search }, { idempotencyKey: search }];
  if (!REFERENCE.test(search)) return own;
  const id = await findPaymentIdByReference(tx, scope, search);
  return id === null ? own : [{ id }];
}
