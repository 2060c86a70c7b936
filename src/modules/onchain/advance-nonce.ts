import { lockSignerAccount, type SignerAccountKey } from '../../db/onchain/signer-account-store.ts';
import {
  insertTransaction,
  lockNonce,
  lockNonces,
  saveNonce,
  saveNonces,
  voidNonce,
  type NewTransaction,
  type NonceKey,
  type NonceRow,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  lockTransfer,
  lockTransfers,
  saveStates,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { mayChainHavePaid } from '../../db/onchain/foreign-transaction-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { GasFees, MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import type { ChainStep, VoidWhy } from '../../domain/onchain/next-chain-step.ts';
import {
  COIN_GAS,
  decodeUnsigned,
  encodeUnsigned,
  selfTransfer,
} from '../../domain/onchain/transaction.ts';
import type { ChainDeps, PollCycle, ChainSettings } from './chain-deps.ts';
import { pastFault } from './past-fault.ts';
import { signAndSend } from './sign-and-send.ts';
import { together } from './together.ts';

/** Nonces of a transfer that may be reverted for good before it is given up. */
const REVERTS_MAX = 4;

/** What the rules decided about a nonce. */
export interface NonceMove {
  readonly row: NonceRow;
  readonly step: ChainStep;
  /** What used the nonce, as far as that is known. */
  readonly mined: MinedTransaction | null;
}

/** Nonces whose outcome one database transaction writes. */
const GROUP_MAX = 100;

/**
 * Does what the rules decided about nonces of one signer account: first what is not believed any more, then what is, in
 * groups, then what is to be signed, then the rest. Everything that it does may be done twice.
 */
export async function advanceNonces(
  deps: ChainDeps,
  cycle: PollCycle,
  key: SignerAccountKey,
  moves: readonly NonceMove[],
): Promise<void> {
  const of = (kind: ChainStep['kind']): readonly NonceMove[] =>
    moves.filter(({ step }) => step.kind === kind);
  await concludeAll(deps, key, 'OPEN', of('REORGANISED'));
  await concludeAll(deps, key, 'SETTLED', of('SETTLED'));
  await concludeAll(deps, key, 'FINAL', of('FINAL'));
  await together(deps, of('SIGN'), nameOfMove, (some) => signAll(deps, cycle, some));
  await together(deps, moves.filter(isRaised), nameOfMove, (some) =>
    raiseAll(deps, cycle, key, some),
  );
  for (const move of moves) {
    await pastFault(deps, nameOfMove(move), () => advanceOne(deps, move));
  }
  for (const { row, step } of moves) {
    // It is signed again, and so is what was before it.
    const goesOn = step.kind === 'SIGN' || step.kind === 'BROADCAST';
    if (goesOn && row.hold === 'SIGNING_STOPPED') {
      await pastFault(deps, nameOfMove({ row }), () => holdTransfer(deps, row, null));
    }
  }
  await sendAgain(deps, of('BROADCAST'));
}

const TRANSFER_STATES = { OPEN: 'CARRIED', SETTLED: 'SETTLED', FINAL: 'FINAL' } as const;

/** Writes the outcome of nonces and what their transfers are by it, but for those that another process changed. */
async function concludeAll(
  deps: ChainDeps,
  key: SignerAccountKey,
  state: 'OPEN' | 'SETTLED' | 'FINAL',
  moves: readonly NonceMove[],
): Promise<void> {
  for (let first = 0; first < moves.length; first += GROUP_MAX) {
    const group = moves.slice(first, first + GROUP_MAX);
    await together(deps, group, nameOfMove, (some) => conclude(deps, key, state, some));
  }
}

const nameOfMove = ({ row }: Pick<NonceMove, 'row'>): string =>
  `${row.address}/${row.nonce.toString()}`;

async function conclude(
  { db, clock }: ChainDeps,
  key: SignerAccountKey,
  state: 'OPEN' | 'SETTLED' | 'FINAL',
  group: readonly NonceMove[],
): Promise<void> {
  const now = clock.now();
  await db.system(async (tx) => {
    const nonces = group.map(({ row }) => row.nonce);
    const held = new Map((await lockNonces(tx, key, nonces)).map((one) => [one.nonce, one]));
    const used = group.filter(({ row }) => held.get(row.nonce)?.state === row.state);
    const references = used.flatMap(({ row }) => held.get(row.nonce)?.reference ?? []);
    const transfers = await lockTransfers(tx, references);
    const lost = references.find((reference) => !transfers.has(reference));
    if (lost !== undefined) throw new Error(`there is no transfer ${lost}`);
    await saveNonces(
      tx,
      key,
      state,
      used.map(({ row, mined }) => ({
        nonce: row.nonce,
        mined: state === 'OPEN' ? null : mined,
      })),
      now,
    );
    await saveStates(tx, references, TRANSFER_STATES[state], now);
  });
}

/** Has signed what is not; of what cannot be signed now, what was signed last is sent again. */
async function signAll(
  deps: ChainDeps,
  cycle: PollCycle,
  moves: readonly NonceMove[],
): Promise<void> {
  const made = moves.flatMap(({ row, step }) => {
    if (step.kind !== 'SIGN') return [];
    const { number, kind, unsigned } = transactionOf(row, step.number);
    return { key: row, number, kind, unsigned };
  });
  const sent = await signAndSend(deps, cycle, made);
  for (const { row } of moves) if (!sent.has(row.nonce)) await keepSent(deps, row);
}

async function sendAgain({ nodes }: ChainDeps, moves: readonly NonceMove[]): Promise<void> {
  const raws = moves.flatMap(({ row, step }) =>
    step.kind === 'BROADCAST' ? (transactionOf(row, step.number).raw ?? []) : [],
  );
  if (raws.length > 0) await nodes.broadcast(raws);
}

/** What is not done for many nonces at once. */
async function advanceOne(deps: ChainDeps, { row, step, mined }: NonceMove): Promise<void> {
  switch (step.kind) {
    case 'WAIT':
    case 'SIGN':
    case 'BUMP':
    case 'VOID':
    case 'BROADCAST':
    case 'SETTLED':
    case 'FINAL':
    case 'REORGANISED':
      return;
    case 'GIVE_UP':
      await deps.db.system((tx) => voidNonce(tx, row, 'VOIDED', deps.clock.now()));
      return;
    case 'HOLD':
      // A payment says itself that the network is dear; of what carries none it is told here.
      if (step.why === 'STALLED' || row.reference === null) {
        deps.alarm({ kind: 'STALLED', address: row.address, nonce: row.nonce.toString() });
      }
      await holdTransfer(deps, row, step.why === 'STALLED' ? 'STALLED' : 'NETWORK_CONGESTED');
      return keepSent(deps, row);
    case 'REJECTED': {
      if (step.why === 'REVERTED') {
        const held = await deps.db.system((tx) => lockCarried(tx, row));
        if (held) deps.alarm({ kind: 'REVERTED', paymentId: held.paymentId });
      }
      return reject(deps, row, mined, (transfer, voidWhy) =>
        afterRejection(transfer, voidWhy ?? step.why),
      );
    }
    default:
      return assertNever(step);
  }
}

/**
 * Reverted: it is tried before the next nonce is taken, and given up where the call itself fails. What was to be given
 * up anyway is not tried again.
 */
function afterRejection(transfer: ChainTransferRow, why: string): ChainTransferRow {
  if (why !== 'REVERTED') return { ...transfer, state: 'REJECTED', hold: null, reason: why };
  const reverts = transfer.reverts + 1;
  return reverts < REVERTS_MAX
    ? { ...transfer, state: 'WAITING', hold: null, reverts }
    : { ...transfer, state: 'REJECTED', hold: null, reason: why, reverts };
}

interface Raise extends NonceMove {
  readonly step: Extract<ChainStep, { readonly kind: 'BUMP' | 'VOID' }>;
}

const isRaised = (move: NonceMove): move is Raise =>
  move.step.kind === 'BUMP' || move.step.kind === 'VOID';

/** The same transfers, or voids, with higher fees: committed, then signed, then sent. */
async function raiseAll(
  deps: ChainDeps,
  cycle: PollCycle,
  key: SignerAccountKey,
  moves: readonly Raise[],
): Promise<void> {
  const nonces = moves.map(({ row }) => row.nonce);
  const made = await deps.db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    const held = new Map((await lockNonces(tx, key, nonces)).map((one) => [one.nonce, one]));
    if (signerAccount?.status !== 'OPEN' && signerAccount?.status !== 'ADOPTING') return [];
    const kept: (NewTransaction & { readonly key: NonceRow })[] = [];
    for (const { row, step } of moves) {
      const now = held.get(row.nonce);
      if (now?.state !== 'OPEN') continue;
      // A void was asked for meanwhile: the transfer is not raised any more.
      if (step.kind === 'BUMP' && now.voidWhy !== row.voidWhy) continue;
      const one =
        step.kind === 'VOID'
          ? voidTransaction(deps.settings, row, step.number, step.fees)
          : raised(row, step.number, step.fees);
      if (await insertTransaction(tx, row, one, cycle.now)) kept.push({ key: row, ...one });
    }
    return kept;
  });
  for (const one of made) await holdTransfer(deps, one.key, null);
  const sent = await signAndSend(deps, cycle, made);
  for (const one of made) if (!sent.has(one.key.nonce)) await keepSent(deps, one.key);
}

/**
 * Where nothing is signed now, sends what was signed last once more: pools forget, and all behind it waits. A transfer
 * that is to be voided is not sent again.
 */
export async function keepSent({ nodes }: ChainDeps, row: NonceRow): Promise<void> {
  const last = row.transactions.findLast(({ raw }) => raw !== null);
  if (!last?.raw || (row.voidWhy !== null && last.kind !== 'VOID')) return;
  await nodes.broadcast([last.raw]);
}

function raised(row: NonceRow, number: number, fees: GasFees): NewTransaction {
  const before = transactionOf(row, number - 1);
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const transaction = decodeUnsigned(before.unsigned);
  if (transaction === null) throw new Error(`nonce ${row.nonce.toString()} holds other bytes`);
  const unsigned = encodeUnsigned({ ...transaction, maxFeePerGas, maxPriorityFeePerGas });
  const { kind, gas } = before;
  return { number, kind, unsigned, gas, maxFeePerGas, maxPriorityFeePerGas };
}

/** A transaction that uses the nonce up and moves nothing. */
export function voidTransaction(
  { chainId }: Pick<ChainSettings, 'chainId'>,
  { nonce, address }: NonceKey,
  number: number,
  { maxFeePerGas, maxPriorityFeePerGas }: GasFees,
): NewTransaction {
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const turn = { chainId, nonce, gas: COIN_GAS, ...fees };
  const unsigned = encodeUnsigned(selfTransfer(turn, address));
  return { number, kind: 'VOID', unsigned, gas: COIN_GAS, ...fees };
}

/**
 * Writes that a nonce ended without its transfer and what the transfer is by it, unless another process did. Why it was
 * given up is read under the lock: that may have been asked since the poll cycle. What would give funds back waits while
 * they may have been paid before a restore.
 */
async function reject(
  { db, clock }: ChainDeps,
  row: NonceRow,
  mined: MinedTransaction | null,
  become: (transfer: ChainTransferRow, voidWhy: VoidWhy | null) => ChainTransferRow,
): Promise<void> {
  const now = clock.now();
  await db.system(async (tx) => {
    const held = await lockNonce(tx, row);
    if (held?.state !== row.state) return;
    const transfer = await lockCarried(tx, row);
    const next = transfer === null ? null : become(transfer, held.voidWhy);
    if (next?.state === 'REJECTED' && (await mayChainHavePaid(tx, next, next.reference))) return;
    await saveNonce(tx, row, { state: 'REJECTED', mined }, now);
    if (next !== null) await saveTransfer(tx, next, now);
  });
}

/** The transfer that a nonce carries, locked; null where it carries none. */
async function lockCarried(
  tx: SystemTransaction,
  { reference }: NonceRow,
): Promise<ChainTransferRow | null> {
  if (reference === null) return null;
  const transfer = await lockTransfer(tx, reference);
  if (transfer === null) throw new Error(`there is no transfer ${reference}`);
  return transfer;
}

/** Why what was sent is in no block, or that it may be in the next one. */
export async function holdTransfer(
  { db, clock }: ChainDeps,
  row: NonceRow,
  hold: ChainTransferRow['hold'],
): Promise<void> {
  if (row.reference === null || row.hold === hold) return;
  await db.system(async (tx) => {
    const transfer = await lockCarried(tx, row);
    if (transfer?.state !== 'CARRIED' || transfer.hold === hold) return;
    await saveTransfer(tx, { ...transfer, hold }, clock.now());
  });
}

function transactionOf(row: NonceRow, number: number): NonceRow['transactions'][number] {
  const made = row.transactions.find((one) => one.number === number);
  if (made === undefined) throw new Error(`nonce ${row.nonce.toString()} has no such transaction`);
  return made;
}
