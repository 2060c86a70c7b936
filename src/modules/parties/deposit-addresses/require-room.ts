import type { ScopedTransaction } from '../../../db/client/database.ts';
import { countAddresses } from '../../../db/parties/deposit-address-store.ts';
import { mayPredateRestore } from '../../../db/operations/restore-mode-store.ts';
import { Refusal, refuseField } from '../../../domain/errors/refusal.ts';
import type { Scope } from '../../../domain/scope.ts';

/** Addresses in use at a time, of one end-user: each one is asked about with every look at every network. */
export const ADDRESSES_OF_END_USER_MAX = 50;
/** The same of a customer in one environment, those of its end-users included. The database has all numbers, too. */
export const ADDRESSES_MAX = 10_000;
/** Those that were disabled so lately count as well: late deposits still come to them. In ms. */
const DISABLED_COUNT_MS = 30 * 24 * 3_600_000;
/** Addresses in use, and those that were disabled within 30 days. */
export const ADDRESSES_WATCHED_MAX = 20_000;
/**
 * The same while restore mode is on, and the only limit then: what the copy has, and what may have been given out
 * before the restore in the last 30 days.
 */
const WATCHED_IN_RESTORE_MAX = 2 * ADDRESSES_WATCHED_MAX;

/**
 * Requires that one more standing address may be made at `at`, of the end-user where one is named. Refuses with
 * limit_reached. The caller holds the lock of new addresses: two at once must not both be the last one.
 */
export async function requireRoom(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string | null,
  at: Date,
): Promise<void> {
  const disabledSince = new Date(at.getTime() - DISABLED_COUNT_MS);
  const { ofCustomer, ofEndUser, disabled } = await countAddresses(tx, scope, {
    ...{ endUserId, disabledSince },
  });
  const watched = ofCustomer + disabled;
  if (await mayPredateRestore(tx, at)) {
    if (watched >= WATCHED_IN_RESTORE_MAX) throw tooManyWatched(WATCHED_IN_RESTORE_MAX);
    return;
  }
  if (ofEndUser >= ADDRESSES_OF_END_USER_MAX) {
    const has = `The end-user has ${String(ADDRESSES_OF_END_USER_MAX)} deposit addresses in use`;
    throw refuseField('limit_reached', '/endUserId', `${has}; disable one first.`);
  }
  if (ofCustomer >= ADDRESSES_MAX) {
    const has = `There are ${String(ADDRESSES_MAX)} deposit addresses in use`;
    throw new Refusal('limit_reached', `${has}; disable one first.`);
  }
  if (watched >= ADDRESSES_WATCHED_MAX) throw tooManyWatched(ADDRESSES_WATCHED_MAX);
}

function tooManyWatched(most: number): Refusal {
  const has = `There are ${String(most)} deposit addresses in use or disabled within 30 days`;
  return new Refusal(
    'limit_reached',
    `${has}; wait until some of these were disabled before that.`,
  );
}
