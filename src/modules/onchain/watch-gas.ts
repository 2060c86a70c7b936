import { ONE_STATEMENT } from '../../db/client/database.ts';
import {
  beginGasLook,
  keepGasLook,
  readSigningAddresses,
} from '../../db/onchain/signer-account-store.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** An address is looked at once in so long. */
const LOOK_MS = 60_000;

/** What 50 transfers take at most. Units of gas. */
const ENOUGH_GAS = 50n * 100_000n;

/**
 * Calls a human where a signer account that signs has little of the coin left, at each look until it has enough again:
 * one that is open, or uses nonces up after a restore. Coin comes from the treasury, by its owners' hands. Throws
 * ChainUnreadable.
 */
export async function watchGas(deps: ChainDeps, { now, heads }: PollCycle): Promise<void> {
  const { db, nodes, alarm, place } = deps;
  const since = new Date(now.getTime() - LOOK_MS);
  const signing = await db.system((tx) => readSigningAddresses(tx, place), ONE_STATEMENT);
  for (const address of signing) {
    const key = { ...place, address };
    const isDue = await db.system((tx) => beginGasLook(tx, key, { since, now }), ONE_STATEMENT);
    if (!isDue) continue;
    const coins = await nodes.nativeBalance(address, heads.latest);
    const { maxFeePerGas } = await nodes.suggestFees();
    const enough = ENOUGH_GAS * maxFeePerGas;
    const isLow = coins < enough;
    await db.system((tx) => keepGasLook(tx, key, isLow, now));
    if (isLow) {
      alarm({ kind: 'LOW_GAS', address, coins: coins.toString(), enough: enough.toString() });
    }
  }
}
