import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { readyAttempt } from '../../domain/payments/attempt.ts';
import type { EncodedTransfer } from '../../domain/payments/connector.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { TransferOrder } from '../../domain/payments/transfer-order.ts';
import type { KeyOwner } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Beneficiary } from './beneficiary.ts';
import { buildTransferOrder } from './build-transfer-order.ts';

/** Turns an order into the bytes that the rail's connector will send. */
export type EncodeTransfer = (order: TransferOrder) => EncodedTransfer;

/** The row name that binds an attempt's sealed bytes to it. */
export const attemptRow = (reference: string): string => `settlement_attempts/${reference}`;

/** What an attempt sends. Throws where no key opens it. */
export const openEncodedTransfer = (
  vault: Vault,
  owner: KeyOwner,
  { encodedTransfer, reference }: Pick<AttemptRow, 'encodedTransfer' | 'reference'>,
): EncodedTransfer => vault.of(owner).open(encodedTransfer, attemptRow(reference));

/** One try to move a payment's money: which, under which reference, and when it was written. */
export interface AttemptToBe {
  readonly number: number;
  readonly reference: string;
  readonly at: Date;
}

/** An attempt with its encoded transfer, sealed; nothing of it is sent before it is claimed. */
export function prepareAttempt(
  deps: { readonly vault: Vault; readonly encode: EncodeTransfer },
  payment: PaymentRow,
  beneficiary: Beneficiary,
  { number, reference, at }: AttemptToBe,
): AttemptRow {
  const encodedTransfer = deps.encode(
    buildTransferOrder(deps.vault, payment, beneficiary, reference),
  );
  return {
    ...readyAttempt(reference, at),
    paymentId: payment.id,
    number,
    rail: railOf(payment.destination),
    encodedTransfer: deps.vault.of(payment).seal(encodedTransfer, attemptRow(reference)),
  };
}
