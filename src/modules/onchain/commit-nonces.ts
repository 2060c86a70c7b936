import {
  countOpenNonces,
  takeNonces,
  type NewCarried,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  judgePayments,
  lockTransfers,
  saveStates,
  type ChainTransferRow,
  type PaymentVerdict,
} from '../../db/onchain/chain-transfer-store.ts';
import {
  isAnySignerAccountUnsure,
  keepNotFinalMax,
  lockSignerAccount,
} from '../../db/onchain/signer-account-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { UNMINED_MAX } from '../../domain/onchain/nonce-slots.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { leaveWaiting, type CarryRound, type PlannedTransfer } from './assign-nonce.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import type { OpenSignerAccount } from './signer-funds.ts';
import type { ToSign } from './sign-and-send.ts';

/** What came of a plan. */
interface Committed {
  readonly made: readonly ToSign[];
  /** Their wallets were rejected or disabled meanwhile, or operators look at them. */
  readonly inactive: readonly ChainTransferRow[];
  /** Their wallets have to be looked up first. */
  readonly unscreened: readonly ChainTransferRow[];
}

const NOTHING: Committed = { made: [], inactive: [], unscreened: [] };

/**
 * Commits nonces and unsigned bytes of one signer account together, in the order of the plan, as far as it has room. None
 * where the signer account is not free for it, or where transfers may have been paid before a restore: one may have
 * begun since the poll cycle did. A transfer is left out whose wallet was rejected or disabled while it waited, which
 * waits for operators, or whose rate has ended, which the next poll cycle rejects. Wallets that were last looked up a day
 * ago are looked up first.
 */
export async function commitNonces(
  deps: ChainDeps,
  cycle: PollCycle,
  { lookUps }: CarryRound,
  { key, nextOnChain }: OpenSignerAccount,
  plan: readonly PlannedTransfer[],
): Promise<readonly ToSign[]> {
  const first = await commit(deps, cycle, { key, nextOnChain }, plan);
  const screened = new Set<string>();
  for (const transfer of first.unscreened) {
    if (await lookUps.screen(transfer)) screened.add(transfer.reference);
  }
  const again = plan.filter(({ transfer }) => screened.has(transfer.reference));
  const second =
    again.length === 0 ? NOTHING : await commit(deps, cycle, { key, nextOnChain }, again);
  for (const { paymentId, reference } of [...first.unscreened, ...second.unscreened]) {
    if (!screened.has(reference)) deps.alarm({ kind: 'WALLET_UNSCREENED', paymentId });
  }
  for (const transfer of [...first.inactive, ...second.inactive]) {
    deps.alarm({ kind: 'WALLET_NOT_ACTIVE', paymentId: transfer.paymentId });
    await leaveWaiting(deps, transfer, { hold: 'STALLED' });
  }
  return [...first.made, ...second.made];
}

async function commit(
  { db, clock, place, settings }: ChainDeps,
  { now }: PollCycle,
  { key, nextOnChain }: Pick<OpenSignerAccount, 'key' | 'nextOnChain'>,
  plan: readonly PlannedTransfer[],
): Promise<Committed> {
  const { chainId, notFinalMax } = settings;
  return db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    if (signerAccount?.status !== 'OPEN' || (await isAnySignerAccountUnsure(tx, place))) {
      return NOTHING;
    }
    const held = await lockTransfers(
      tx,
      plan.map(({ transfer }) => transfer.reference),
    );
    const waiting = [...held.values()].filter(
      ({ state, isGivenUp }) => state === 'WAITING' && !isGivenUp,
    );
    const verdicts = await judgePayments(tx, waiting, clock.now());
    const of = (verdict: PaymentVerdict) =>
      plan.filter(({ transfer }) => verdicts.get(transfer.reference) === verdict);
    const room = Math.min(
      UNMINED_MAX - Number(signerAccount.nextNonce - nextOnChain),
      notFinalMax - (await countOpenNonces(tx, key)),
    );
    const taken = of('SEND').slice(0, Math.max(room, 0));
    const left = {
      inactive: of('WALLET_NOT_ACTIVE').map(({ transfer }) => transfer),
      unscreened: of('UNSCREENED').map(({ transfer }) => transfer),
    };
    const [first] = taken;
    if (first === undefined) return { made: [], ...left };
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
    return { made, ...left };
  });
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: GasFees): GasFees => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});
