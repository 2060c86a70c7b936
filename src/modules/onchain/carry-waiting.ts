import { ONE_STATEMENT } from '../../db/client/database.ts';
import { isAnyUnsigned } from '../../db/onchain/chain-nonce-store.ts';
import { isAnyUnclaimed } from '../../db/onchain/found-transaction-store.ts';
import {
  holdUnsigned,
  judgePayments,
  readWaitingTransfers,
  releaseUnsigned,
  type ChainTransferRow,
  type CustomerTurn,
  type PaymentVerdict,
} from '../../db/onchain/chain-transfer-store.ts';
import {
  isAnySignerAccountUnsure,
  readSignerStatuses,
} from '../../db/onchain/signer-account-store.ts';
import { isRoom, isRoomFor, withOneMore } from '../../domain/onchain/nonce-slots.ts';
import { SWEEPS_OPEN_MAX } from '../../domain/onchain/sweep-rules.ts';
import { callOf } from './ask-signer-account.ts';
import {
  leastBusyFirst,
  leaveWaiting,
  planTransfer,
  type CarryRound,
  type PlannedTransfer,
} from './assign-nonce.ts';
import type { ChainDeps, ChainSettings, PollCycle } from './chain-deps.ts';
import { claimFound } from './claim-found.ts';
import { commitNonces } from './commit-nonces.ts';
import { createHourLeft, type HourLeft } from './hour-left.ts';
import { createSignerFunds, type OpenSignerAccount } from './signer-funds.ts';
import { pastFault } from './past-fault.ts';
import { rejectEnded } from './reject-ended.ts';
import { signAndSend } from './sign-and-send.ts';
import { together } from './together.ts';
import type { Unread } from './unread.ts';
import { createWalletLookUps, type WalletLookUps } from './wallet-look-ups.ts';

/** Transfers that are read at a time. */
const PAGE_TRANSFERS = 100;

/** A signer that is silent for so long holds what waits, in ms. */
const UNSIGNED_MS = 60_000;

/** What the round knows of the waiting transfers and the signer accounts, as far as it has come. */
interface Round extends CarryRound {
  signerAccounts: readonly OpenSignerAccount[];
  /** By customer, the reference of its last transfer that was read. */
  readonly after: Map<string, string>;
  readonly hour: HourLeft;
  readonly lookUps: WalletLookUps;
  /** Something was found on the chain that may have paid a transfer. */
  readonly isAnyUnclaimed: boolean;
  readonly notFinalMax: number;
}

/**
 * Ends what waits for no nonce any more, and gives the other transfers that wait to signer accounts while one has room:
 * customers take turns, the one with the fewest transfers under way first, each with its oldest. What is held does not
 * stop what is behind it: all pages are gone through, and what a signer account has is read once for all of them. Where
 * nothing is signed now, all that waits is held for that.
 */
export async function carryWaiting(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  opened: readonly OpenSignerAccount[],
): Promise<void> {
  const { db, place } = deps;
  await rejectEnded(deps);
  const since = new Date(cycle.now.getTime() - UNSIGNED_MS);
  const { isUnsure, isStopped, isUnclaimed } = await db.system(async (tx) => {
    const statuses = await readSignerStatuses(tx, place);
    const isUnsure = await isAnySignerAccountUnsure(tx, place);
    const isAnyClosed = statuses.some((status) => status !== 'OPEN' && status !== 'RETIRED');
    const isStopped =
      (isAnyClosed && (isUnsure || !statuses.includes('OPEN'))) ||
      (opened.length === 0 && (await isAnyUnsigned(tx, place, since)));
    if (isStopped) await holdUnsigned(tx, place, {}, cycle.now);
    return { isUnsure, isStopped, isUnclaimed: await isAnyUnclaimed(tx, place) };
  });
  // Nothing while any of them may have been paid before a restore.
  if (isUnsure || isStopped || opened.length === 0) return;
  const round: Round = {
    ...{ funds: createSignerFunds(deps, cycle), unread, refused: new Set<string>() },
    ...{ signerAccounts: opened, after: new Map<string, string>() },
    ...{ hour: createHourLeft(deps, cycle), isAnyUnclaimed: isUnclaimed },
    lookUps: createWalletLookUps(deps),
    notFinalMax: notFinalMaxOfPayments(deps.settings),
  };
  while (isAnyRoom(round) && !unread.isSilent()) {
    const page = await db.system(async (tx) =>
      (await isAnySignerAccountUnsure(tx, place))
        ? []
        : readWaitingTransfers(tx, place, turnsOf(round), round.hour.closed(), PAGE_TRANSFERS),
    );
    if (page.length === 0) break;
    deps.signal?.throwIfAborted();
    await carryPage(deps, cycle, round, page);
  }
  const { hour } = round;
  await db.system(async (tx) => {
    for (const asset of hour.closed()) await holdUnsigned(tx, place, { asset }, cycle.now);
    for (const share of hour.closedShares()) await holdUnsigned(tx, place, share, cycle.now);
    await releaseUnsigned(tx, place, hour.open(), hour.closedShares(), cycle.now);
  });
}

/** Sweeps find room also where payments take all of theirs. */
const notFinalMaxOfPayments = ({ notFinalMax, sweeps }: ChainSettings): number =>
  sweeps === null ? notFinalMax : notFinalMax - SWEEPS_OPEN_MAX;

const isAnyRoom = ({ signerAccounts, notFinalMax }: Round): boolean =>
  signerAccounts.some(({ slots }) => isRoom(slots, notFinalMax));

const roomFor = ({ signerAccounts, notFinalMax }: Round, customerId: string) =>
  signerAccounts.filter(({ slots }) => isRoomFor(slots, customerId, notFinalMax));

/** Of every customer that has something under way, or of which something was read. */
function turnsOf(round: Round): readonly CustomerTurn[] {
  const { signerAccounts, after } = round;
  const carried = new Map<string, number>();
  for (const { slots } of signerAccounts) {
    for (const [customerId, { notFinal }] of slots.ofCustomers) {
      carried.set(customerId, (carried.get(customerId) ?? 0) + notFinal);
    }
  }
  return [...new Set([...carried.keys(), ...after.keys()])].map((customerId) => ({
    customerId,
    carried: carried.get(customerId) ?? 0,
    isFull: roomFor(round, customerId).length === 0,
    after: after.get(customerId) ?? null,
  }));
}

/** Plans transfers while there is room, then commits, signs and sends them, those of a signer account together. */
async function carryPage(
  deps: ChainDeps,
  cycle: PollCycle,
  round: Round,
  page: readonly ChainTransferRow[],
): Promise<void> {
  const verdicts = await deps.db.system(
    (tx) => judgePayments(tx, page, deps.clock.now()),
    ONE_STATEMENT,
  );
  await tryAhead(
    round,
    page.filter(({ reference }) => verdicts.get(reference) === 'SEND'),
  );
  const planned: PlannedTransfer[] = [];
  for (const transfer of page) {
    if (!isAnyRoom(round) || round.unread.isSilent()) break;
    const { reference, customerId } = transfer;
    const free = roomFor(round, customerId);
    if (free.length === 0) continue;
    round.after.set(customerId, reference);
    if (round.isAnyUnclaimed) {
      // What may be the chain's already is not sent: null where that is not known.
      const isFound = await pastFault(deps, reference, () => claimFound(deps, transfer));
      if (isFound !== false) continue;
    }
    if (!(await mayBeSent(deps, round, transfer, verdicts.get(reference)))) continue;
    const plan = await round.unread.past(reference, () => planWithin(deps, round, free, transfer));
    if (plan === null) continue;
    planned.push(plan);
    round.hour.take(transfer);
    round.signerAccounts = round.signerAccounts.map((one) =>
      one.key.address === plan.carrier.key.address ? plan.carrier : one,
    );
  }
  for (const signerAccount of round.signerAccounts) {
    const { address } = signerAccount.key;
    const own = planned.filter(({ carrier }) => carrier.key.address === address);
    if (own.length === 0) continue;
    const nameOf = ({ transfer }: PlannedTransfer): string => transfer.reference;
    await together(deps, own, nameOf, async (some) => {
      await signAndSend(deps, cycle, await commitNonces(deps, cycle, signerAccount, some));
    });
  }
}

/**
 * Whether the payment of a transfer may be sent now. Judged before the transfer is planned: one that may not takes no room
 * from others. It is judged again when its nonce is committed. A wallet that was last looked up a day ago is looked up.
 */
async function mayBeSent(
  deps: ChainDeps,
  { lookUps }: Round,
  transfer: ChainTransferRow,
  before: PaymentVerdict | undefined,
): Promise<boolean> {
  const { paymentId, reference } = transfer;
  let verdict = before;
  if (verdict === 'UNSCREENED' && (await lookUps.screen(transfer))) {
    const verdicts = await deps.db.system((tx) => judgePayments(tx, [transfer], deps.clock.now()));
    verdict = verdicts.get(reference);
  }
  if (verdict === 'UNSCREENED') deps.alarm({ kind: 'WALLET_UNSCREENED', paymentId });
  if (verdict === 'WALLET_NOT_ACTIVE') {
    deps.alarm({ kind: 'WALLET_NOT_ACTIVE', paymentId });
    await leaveWaiting(deps, transfer, { hold: 'STALLED' });
  }
  return verdict === 'SEND';
}

/**
 * Null where the transfer waits. One that could be paid, and is above what the hour has left, closes its asset; one that is
 * above its customer's share, the customer's transfers of the asset. One that signers would sign for in no hour waits for
 * operators, and for nobody else.
 */
async function planWithin(
  deps: ChainDeps,
  round: Round,
  free: readonly OpenSignerAccount[],
  transfer: ChainTransferRow,
): Promise<PlannedTransfer | null> {
  const { hour } = round;
  const { asset, paymentId } = transfer;
  const room = await hour.roomFor(transfer);
  if (room === 'OVER_CAP') {
    deps.alarm({ kind: 'AMOUNT_OVER_CAP', paymentId });
    await leaveWaiting(deps, transfer, { hold: 'STALLED' });
  }
  if (room === 'OVER_CAP' || room === 'CLOSED') return null;
  const planned = await planTransfer(deps, round, free, transfer);
  if (planned === null || room === 'ROOM') return planned;
  hour.close(transfer, room);
  if (room === 'FULL') deps.alarm({ kind: 'HOUR_OVER_CAP', asset });
  return null;
}

/** Asks about the transfers that are likely to be next together, and not one after the other. Throws nothing. */
async function tryAhead(round: Round, page: readonly ChainTransferRow[]): Promise<void> {
  const { funds, unread, notFinalMax } = round;
  const hour = round.hour.fork();
  if ((await unread.past('fees', () => funds.fees())) === null) return;
  let signerAccounts = round.signerAccounts;
  for (const transfer of page) {
    const { customerId, contract, recipient, amount } = transfer;
    const [likely] = leastBusyFirst(
      signerAccounts.filter(({ slots }) => isRoomFor(slots, customerId, notFinalMax)),
    );
    if (likely === undefined) continue;
    const held = await unread.past(transfer.reference, () => funds.tokens(likely, contract));
    if (held === null) return;
    if (held < amount) continue;
    const room = await unread.past(transfer.reference, () => hour.roomFor(transfer));
    if (room === 'FULL' || room === 'SHARE_FULL') hour.close(transfer, room);
    if (room !== 'ROOM') continue;
    hour.take(transfer);
    funds.tryAhead(callOf(likely.key.address, transfer, recipient));
    signerAccounts = signerAccounts.map((one) =>
      one === likely ? { ...one, slots: withOneMore(one.slots, customerId) } : one,
    );
  }
}
