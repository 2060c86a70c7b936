import { idOfHash, newId } from '../../db/client/new-id.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import type { PaymentOrder } from './payment-order.ts';

/**
 * The id of a payment that is being accepted. The address of one that a deposit pays for follows from it: it is made
 * from what the partner repeats, as references are, so that after a loss of committed data the repeated request waits
 * at the address that was given out.
 */
export function newPaymentId(
  vault: KeyedHashes,
  { customerId, environment }: Scope,
  {
    order,
    idempotencyKey,
  }: { readonly order: Pick<PaymentOrder, 'funding'>; readonly idempotencyKey: string },
): string {
  if (order.funding === null) return newId(ID_PREFIXES.payment);
  // Ids and environments hold no NUL: the parts cannot run into each other.
  const parts = [customerId, environment, idempotencyKey].join('\0');
  return idOfHash(ID_PREFIXES.payment, vault.steadyHash('funded-payment', parts));
}
