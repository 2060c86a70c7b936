import { DEPOSIT_STATUSES } from '../../../domain/onchain/deposits/deposit.ts';
import { KYC_STATUSES } from '../../../domain/parties/kyc/kyc-states.ts';
import { PAYMENT_STATUSES } from '../../../domain/payments/payment-states.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';

const MOVES: Readonly<Record<string, readonly string[]>> = {
  payment: PAYMENT_STATUSES,
  kyc: KYC_STATUSES,
  deposit: DEPOSIT_STATUSES,
};

const STATUSES: Partial<Record<EventType, string>> = {
  'end_user.closed': 'CLOSED',
  'bank_account.activated': 'ACTIVE',
  'bank_account.disabled': 'DISABLED',
  'wallet.created': 'PENDING',
  'wallet.activated': 'ACTIVE',
  'wallet.rejected': 'REJECTED',
  'wallet.disabled': 'DISABLED',
  'deposit_address.created': 'ACTIVE',
  'deposit_address.disabled': 'DISABLED',
  'payment_batch.created': 'PROCESSING',
  'payment_batch.completed': 'COMPLETED',
  'balance.credited': 'CREDITED',
  'balance.credit_reversed': 'REVERSED',
  'webhook_endpoint.disabled': 'DISABLED',
};

/** The status that the data of a type's events always has; null where the type says nothing of it. */
export function statusIn(type: EventType): string | null {
  const [family = '', name = ''] = type.split('.');
  const moved = MOVES[family]?.find((status) => status === name.toUpperCase());
  return moved ?? STATUSES[type] ?? null;
}
