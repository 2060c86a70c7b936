import { batchItemRow, type BatchItemRow } from '../../../db/payments/payment-batch-item-store.ts';
import type { Problem, Refusal } from '../../../domain/errors/refusal.ts';
import { ERRORS, type ErrorCode } from '../../../domain/errors/registry.ts';
import { destinationIds } from '../../../domain/payments/payment-destination.ts';
import type { PaymentOrder } from '../payment-order.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { ReadOrder } from './batch-item.ts';

/** Problems of an item that are kept: a thousand items with a hundred each would fill the database. */
const PROBLEMS_MAX = 20;

interface StoredOrder {
  readonly order: Omit<
    PaymentOrder,
    'amount' | 'destination' | 'unit' | 'sourceUnit' | 'maxSourceAmount'
  > & {
    readonly bankAccountId: string | null;
    readonly walletId: string | null;
    readonly amount: string;
    /** The unit, and that of the source. */
    readonly currency: string;
    readonly sourceCurrency: string | null;
    /** Undefined in an item that the release before this one stored. */
    readonly maxSourceAmount?: string | null;
  };
  /** Base64. */
  readonly fingerprint: string;
}

interface StoredError {
  readonly message: string;
  readonly details: readonly Problem[];
}

/** Why an item was refused, in the form of every error; `details` points into the item. */
export interface ItemError extends StoredError {
  readonly error: ErrorCode;
}

type Of = { readonly batchId: string; readonly itemIndex: number };

/**
 * Seals the order of an item that waits. It goes when the item is judged, so the vault's own key will do
 * where the end-user has another: who has items that wait is not erased.
 */
export function sealOrder(vault: Vault, of: Of, { order, fingerprint }: ReadOrder): Buffer {
  const { destination, amount, unit: currency, sourceUnit: sourceCurrency, ...more } = order;
  const { maxSourceAmount, ...others } = more;
  const stored: StoredOrder = {
    order: {
      ...{ ...others, ...destinationIds(destination), amount: amount.toString() },
      ...{ currency, sourceCurrency, maxSourceAmount: maxSourceAmount?.toString() ?? null },
    },
    fingerprint: fingerprint.toString('base64'),
  };
  return vault.sealJson(stored, batchItemRow(of.batchId, of.itemIndex));
}

export function openOrder(
  vault: Vault,
  batchId: string,
  { itemIndex, sealed }: BatchItemRow,
): ReadOrder {
  if (sealed === null) throw new Error('an item that waits has an order');
  const stored = vault.openJson<StoredOrder>(sealed, batchItemRow(batchId, itemIndex));
  const { bankAccountId, walletId, amount, currency, sourceCurrency, ...more } = stored.order;
  const { maxSourceAmount = null, ...others } = more;
  return {
    order: {
      ...{ ...others, amount: BigInt(amount), unit: currency, sourceUnit: sourceCurrency },
      maxSourceAmount: maxSourceAmount === null ? null : BigInt(maxSourceAmount),
      destination:
        walletId === null
          ? { kind: 'BANK', bankAccountId: bankAccountId ?? '' }
          : { kind: 'WALLET', walletId },
    },
    fingerprint: Buffer.from(stored.fingerprint, 'base64'),
  };
}

/** Seals what an error says: its pointers may hold names of members that the caller made up. */
export function sealError(vault: Vault, of: Of, { message, details }: Refusal): Buffer {
  const stored: StoredError = { message, details: details.slice(0, PROBLEMS_MAX) };
  return vault.sealJson(stored, batchItemRow(of.batchId, of.itemIndex));
}

/** The error of a refused item; after the erasure of its end-user no more than its code says. */
export function openError(
  vault: Vault,
  batchId: string,
  { itemIndex, sealed, error }: Pick<BatchItemRow, 'itemIndex' | 'sealed' | 'error'>,
): ItemError | null {
  if (error === null || sealed === null) return null;
  if (sealed.length === 0) return { error, message: ERRORS[error].description, details: [] };
  return { error, ...vault.openJson<StoredError>(sealed, batchItemRow(batchId, itemIndex)) };
}
