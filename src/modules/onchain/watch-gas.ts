import { beginGasLook, keepGasLook } from '../../db/onchain/signer-account-store.ts';
import { gasAccountNeeds } from '../../domain/onchain/top-up-rules.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import type { OpenSignerAccount } from './signer-funds.ts';
import { topUpSignerAccount } from './top-up-signer-account.ts';

/** An address is looked at once in so long. */
const LOOK_MS = 60_000;

/** What 50 transfers take at most. Units of gas. */
const ENOUGH_GAS = 50n * 100_000n;

/**
 * Calls a human where an open signer account has little of the coin left, or the gas account too little to give any:
 * once, until it has enough again. A configured signer account below the floor of the network's top-ups is topped up.
 * Throws ChainUnreadable.
 */
export async function watchGas(
  deps: ChainDeps,
  cycle: PollCycle,
  signerAccounts: readonly OpenSignerAccount[],
): Promise<void> {
  const { db, nodes, alarm } = deps;
  const { topUps, hotAddresses: configured } = deps.settings;
  const { now, heads } = cycle;
  const since = new Date(now.getTime() - LOOK_MS);
  const gasAccount = signerAccounts.find(({ key }) => key.address === topUps?.from);
  for (const { key } of signerAccounts) {
    const before = await db.system((tx) => beginGasLook(tx, key, { since, now }));
    if (before === null) continue;
    const { address } = key;
    const coins = await nodes.nativeBalance(address, heads.latest);
    const { maxFeePerGas } = await nodes.suggestFees();
    const forTransfers = ENOUGH_GAS * maxFeePerGas;
    const forOthers = topUps?.from === address ? gasAccountNeeds(topUps) : 0n;
    const enough = forOthers > forTransfers ? forOthers : forTransfers;
    const isLow = coins < enough;
    const isNew = await db.system((tx) => keepGasLook(tx, key, isLow));
    if (isNew && isLow) {
      alarm({ kind: 'LOW_GAS', address, coins: coins.toString(), enough: enough.toString() });
    }
    // No signer gives anything to one that is configured no more.
    const mayGet = configured.includes(address) && gasAccount?.key.address !== address;
    if (topUps !== null && gasAccount !== undefined && mayGet) {
      await topUpSignerAccount(deps, cycle, {
        rules: topUps,
        gasAccount,
        signerAccount: key,
        latest: coins,
      });
    }
  }
}
