import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { readyAttempt } from '../../domain/payments/attempt.ts';
import type { TransferOrder } from '../../domain/payments/transfer-order.ts';
import type { KeyOwner } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Beneficiary } from './beneficiary.ts';
import { buildTransferOrder } from './build-transfer-order.ts';

/** Turns an order into the exact bytes that the rail's connector will send. */
export type EncodeTransfer = (order: TransferOrder) => Uint8Array;

/** The row name that binds an attempt's sealed bytes to it. */
const attemptRow = (reference: string): string => `settlement_attempts/${reference}`;

/** The exact bytes that an attempt sends. Throws where no key opens them. */
export const openRequest = (
  vault: Vault,
  owner: KeyOwner,
  { request, reference }: Pick<AttemptRow, 'request' | 'reference'>,
): Uint8Array => vault.of(owner).open(request, attemptRow(reference));

/** One try to move a payment's money: which, under which reference, and when it was written. */
export interface AttemptToBe {
  readonly number: number;
  readonly reference: string;
  readonly at: Date;
}

/** An attempt with the exact bytes, sealed; nothing of it is sent before it is claimed. */
export function prepareAttempt(
  deps: { readonly vault: Vault; readonly encode: EncodeTransfer },
  payment: PaymentRow,
  beneficiary: Beneficiary,
  { number, reference, at }: AttemptToBe,
): AttemptRow {
  const bytes = deps.encode(buildTransferOrder(deps.vault, payment, beneficiary, reference));
  return {
    ...readyAttempt(reference, at),
    paymentId: payment.id,
    number,
    rail: payment.rail,
    request: deps.vault.of(payment).seal(bytes, attemptRow(reference)),
  };
}
