import {
  countOpenNonces,
  takeNonces,
  type NewCarried,
} from '../../db/onchain/chain-nonce-store.ts';
import { judgePayments, lockTransfers, saveStates } from '../../db/onchain/chain-transfer-store.ts';
import {
  isAnySignerAccountUnsure,
  keepNotFinalMax,
  lockSignerAccount,
} from '../../db/onchain/signer-account-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { UNMINED_MAX } from '../../domain/onchain/nonce-slots.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import type { PlannedTransfer } from './assign-nonce.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import type { OpenSignerAccount } from './signer-funds.ts';
import type { ToSign } from './sign-and-send.ts';

/**
 * Commits nonces and unsigned bytes of one signer account together, in the order of the plan, as far as it has room. None
 * where the signer account is not free for it, or where transfers may have been paid before a restore: one may have
 * begun since the poll cycle did. A transfer is left out whose payment may not be sent any more: the next poll cycle says
 * why.
 */
export async function commitNonces(
  { db, clock, place, settings }: ChainDeps,
  { now }: PollCycle,
  { key, nextOnChain }: OpenSignerAccount,
  plan: readonly PlannedTransfer[],
): Promise<readonly ToSign[]> {
  const { chainId, notFinalMax } = settings;
  return db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    if (signerAccount?.status !== 'OPEN' || (await isAnySignerAccountUnsure(tx, place))) {
      return [];
    }
    const held = await lockTransfers(
      tx,
      plan.map(({ transfer }) => transfer.reference),
    );
    const waiting = [...held.values()].filter(
      ({ state, isGivenUp }) => state === 'WAITING' && !isGivenUp,
    );
    const verdicts = await judgePayments(tx, waiting, clock.now());
    const room = Math.min(
      UNMINED_MAX - Number(signerAccount.nextNonce - nextOnChain),
      notFinalMax - (await countOpenNonces(tx, key)),
    );
    const taken = plan
      .filter(({ transfer }) => verdicts.get(transfer.reference) === 'SEND')
      .slice(0, Math.max(room, 0));
    const [first] = taken;
    if (first === undefined) return [];
    const { fees } = first.turn;
    const made = taken.map(({ transfer, turn }, index): ToSign & NewCarried => {
      const nonce = signerAccount.nextNonce + BigInt(index);
      const { data, gas } = turn;
      const unsigned = encodeUnsigned({
        ...{ chainId, nonce, gas, to: transfer.contract, value: 0n, data },
        ...feesOf(fees),
      });
      const { reference } = transfer;
      return { key: { ...key, nonce }, number: 0, kind: 'TRANSFER', unsigned, gas, reference };
    });
    if (signerAccount.notFinalMax < notFinalMax) await keepNotFinalMax(tx, key, notFinalMax, now);
    await takeNonces(tx, { ...key, nonce: signerAccount.nextNonce }, made, fees, now);
    await saveStates(
      tx,
      made.map(({ reference }) => reference),
      'CARRIED',
      now,
    );
    return made;
  });
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: GasFees): GasFees => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});
