import type { Database } from '../../../db/client/database.ts';
import { findWallet, lockWallet } from '../../../db/parties/wallet-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ScreeningError } from '../../../domain/parties/screening/screening-provider.ts';
import { judgeWalletScreening } from '../../../domain/parties/screening/wallet-verdict.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { AddressScreening } from './look-up-address.ts';
import { recordFinding } from './record-finding.ts';

/**
 * Looks an ACTIVE wallet's address up before money leaves for it; no transaction is open meanwhile. Not
 * where that was done within a day. Throws ScreeningError.
 */
export async function screenWallet(
  deps: {
    readonly db: Database;
    readonly clock: Clock;
    readonly addressScreening: AddressScreening;
  },
  scope: Scope,
  id: string,
): Promise<void> {
  const { db, clock } = deps;
  const row = await db.read(scope, (tx) => findWallet(tx, scope, id));
  if (row?.status !== 'ACTIVE' || judgeWalletScreening(row, clock.now()) !== 'UNSCREENED') return;
  const ask = deps.addressScreening[scope.environment];
  if (ask === undefined) throw new ScreeningError('SCREENING_NOT_CONFIGURED');
  const { network, address } = row;
  const reason = 'RELEASE';
  const found = { ...(await ask({ network, address, reason })), reason } as const;
  await db.write(scope, async (tx) => {
    const locked = await lockWallet(tx, scope, id);
    if (locked !== null) await recordFinding(tx, scope, locked, found, clock.now());
  });
}
