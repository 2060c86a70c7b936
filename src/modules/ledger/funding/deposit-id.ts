import { createHash } from 'node:crypto';
import type { DepositFacts } from '../../../db/onchain/deposit-store.ts';
import { idOfHash } from '../../../db/client/new-id.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Environment } from '../../../domain/scope.ts';

/**
 * The id of the deposit that a Transfer event is: made of what tells the event, and of no block. The same event mined
 * again, or read again by a restored database, is the same deposit, so that what it is paid on or refunded by has the
 * key and the reference that it had before.
 */
export function idOfDeposit(environment: Environment, event: DepositFacts): string {
  const { network, txHash, ordinal, asset, from, to, amount } = event;
  const parts = [environment, network, txHash, ordinal, asset, from, to, amount];
  // None of the parts holds a NUL: they cannot run into each other.
  return idOfHash(ID_PREFIXES.deposit, createHash('sha256').update(parts.join('\0')).digest());
}
