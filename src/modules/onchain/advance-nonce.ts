import { lockSignerAccount } from '../../db/onchain/signer-account-store.ts';
import {
  insertTransaction,
  lockNonce,
  saveNonce,
  voidNonce,
  type NewTransaction,
  type NonceKey,
  type NonceRow,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  lockTransfer,
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
import { signAndSend } from './sign-and-send.ts';

/** Nonces of a transfer that may be reverted for good before it is given up. */
const REVERTS_MAX = 4;

type NonceOutcome = 'OPEN' | 'SETTLED' | 'FINAL' | 'REJECTED';

/** Does what the rules decided about one nonce. Everything that it does may be done twice. */
export async function advanceNonce(
  deps: ChainDeps,
  cycle: PollCycle,
  row: NonceRow,
  step: ChainStep,
  mined: MinedTransaction | null,
): Promise<void> {
  switch (step.kind) {
    case 'WAIT':
      return;
    case 'SIGN': {
      const { kind, unsigned } = transactionOf(row, step.number);
      const made = { key: row, number: step.number, kind, unsigned };
      if (!(await signAndSend(deps, cycle, made))) await keepSent(deps, row);
      return;
    }
    case 'GIVE_UP':
      await deps.db.system((tx) => voidNonce(tx, row, 'VOIDED', deps.clock.now()));
      return;
    case 'BUMP':
    case 'VOID':
      return raise(deps, cycle, row, step);
    case 'HOLD':
      // A payment says itself that the network is dear; of what carries none it is told here.
      if (step.why === 'STALLED' || row.reference === null) {
        deps.alarm({ kind: 'STALLED', address: row.address, nonce: row.nonce.toString() });
      }
      await holdTransfer(deps, row, step.why === 'STALLED' ? 'STALLED' : 'NETWORK_CONGESTED');
      return keepSent(deps, row);
    case 'BROADCAST':
      return broadcast(deps, row, step.number);
    case 'SETTLED':
    case 'FINAL':
      return conclude(deps, row, step.kind, mined, (transfer) => ({
        ...transfer,
        state: step.kind,
        hold: null,
      }));
    case 'REORGANISED':
      return conclude(deps, row, 'OPEN', null, (transfer) => ({ ...transfer, state: 'CARRIED' }));
    case 'REJECTED': {
      if (step.why === 'REVERTED') {
        const held = await deps.db.system((tx) => lockCarried(tx, row));
        if (held) deps.alarm({ kind: 'REVERTED', paymentId: held.paymentId });
      }
      return conclude(deps, row, 'REJECTED', mined, (transfer, voidWhy) =>
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

/** The same transfer, or a void, with higher fees: committed, then signed, then sent. */
async function raise(
  deps: ChainDeps,
  cycle: PollCycle,
  row: NonceRow,
  { kind, number, fees }: Extract<ChainStep, { readonly kind: 'BUMP' | 'VOID' }>,
): Promise<void> {
  const made =
    kind === 'VOID' ? voidTransaction(deps.settings, row, number, fees) : raised(row, number, fees);
  const isMade = await deps.db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, row);
    const held = await lockNonce(tx, row);
    const maySign = signerAccount?.status === 'OPEN' || signerAccount?.status === 'ADOPTING';
    if (!maySign || held?.state !== 'OPEN') return false;
    // A void was asked for meanwhile: the transfer is not raised any more.
    if (kind === 'BUMP' && held.voidWhy !== row.voidWhy) return false;
    return insertTransaction(tx, row, made, cycle.now);
  });
  if (!isMade) return;
  await holdTransfer(deps, row, null);
  if (!(await signAndSend(deps, cycle, { key: row, ...made }))) await keepSent(deps, row);
}

/**
 * Where nothing is signed now, sends what was signed last once more: pools forget, and all behind it waits. A transfer
 * that is to be voided is not sent again.
 */
export async function keepSent({ nodes }: ChainDeps, row: NonceRow): Promise<void> {
  const last = row.transactions.findLast(({ raw }) => raw !== null);
  if (!last?.raw || (row.voidWhy !== null && last.kind !== 'VOID')) return;
  await nodes.broadcast(last.raw);
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

async function broadcast({ nodes }: ChainDeps, row: NonceRow, number: number): Promise<void> {
  const { raw } = transactionOf(row, number);
  if (raw !== null) await nodes.broadcast(raw);
}

/**
 * Writes the nonce's outcome and what its transfer is by it, unless another process did. Why it was given up is read
 * under the lock: that may have been asked since the poll cycle. What would give funds back waits while they may have
 * been paid before a restore.
 */
async function conclude(
  { db, clock }: ChainDeps,
  row: NonceRow,
  state: NonceOutcome,
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
    await saveNonce(tx, row, { state, mined }, now);
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
async function holdTransfer(
  { db, clock }: ChainDeps,
  row: NonceRow,
  hold: ChainTransferRow['hold'],
): Promise<void> {
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
