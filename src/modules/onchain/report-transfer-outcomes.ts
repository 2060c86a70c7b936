import { ONE_STATEMENT } from '../../db/client/database.ts';
import {
  lockTransfer,
  markTold,
  readUntoldTransfers,
  saveTransfer,
  type ChainNews,
  type ChainTransferRow,
  type ChainWord,
} from '../../db/onchain/chain-transfer-store.ts';
import {
  storeChainReports,
  type ChainReport,
  type StoredChainReport,
} from '../../db/payments/transfer-report-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { groupBy } from '../../domain/group-by.ts';
import { withHash } from '../../domain/payments/chain-reports.ts';
import type { PaymentChange } from '../../domain/payments/payment.ts';
import { changePayment, changePayments } from '../payments/change-payment.ts';
import type { LockedPayment } from '../payments/locked-payment.ts';
import { withLockedPayment, withLockedPayments } from '../payments/lock-payment.ts';
import type { ChainDeps } from './chain-deps.ts';
import { pastFault } from './past-fault.ts';
import { together } from './together.ts';

/** Transfers of a kind in a turn; what is left comes with the next one. */
const TURN_TRANSFERS = 200;

const REORGANISED = 'CHAIN_REORGANISED';

/** Payments that are changed at a time, those of a customer in one transaction: they are locked meanwhile. */
const CHANGED_AT_A_TIME = 16;

/**
 * Tells payments what became of their transfers, each state once, and then what other transfers wait for. Those that are
 * mined for the first time, and those that are final, are told in groups, the others one by one; of each kind the oldest
 * first.
 */
export async function reportTransferOutcomes(deps: ChainDeps): Promise<void> {
  await tellOutcomes(deps, await readTurn(deps, 'OUTCOME'));
  for (const { reference } of await readTurn(deps, 'HOLD')) {
    await pastFault(deps, reference, () => tellHold(deps, reference));
  }
}

/** Turns go on behind each other and begin anew at the end: what cannot be told keeps nothing from its turn. */
async function readTurn(
  { db, place, memory }: ChainDeps,
  news: ChainNews,
): Promise<readonly ChainTransferRow[]> {
  const after = memory.told.get(news) ?? null;
  const untold = await db.system(
    (tx) => readUntoldTransfers(tx, place, news, after, TURN_TRANSFERS),
    ONE_STATEMENT,
  );
  const last = untold[TURN_TRANSFERS - 1];
  if (last === undefined) memory.told.delete(news);
  else memory.told.set(news, last.reference);
  return untold;
}

async function tellOutcomes(deps: ChainDeps, untold: readonly ChainTransferRow[]): Promise<void> {
  const settled = untold.filter(({ state, told }) => state === 'SETTLED' && told === null);
  const final = untold.filter(({ state, told }) => state === 'FINAL' && told === 'SETTLED');
  const nameOf = ({ reference }: ChainTransferRow): string => reference;
  await together(deps, settled, nameOf, (all) => tellSettled(deps, all));
  for (let first = 0; first < final.length; first += CHANGED_AT_A_TIME) {
    const group = final.slice(first, first + CHANGED_AT_A_TIME);
    await together(deps, group, nameOf, (all) => tellFinal(deps, all));
  }
  const isTold = new Set([...settled, ...final]);
  for (const transfer of untold) {
    if (isTold.has(transfer)) continue;
    await pastFault(deps, transfer.reference, () => tell(deps, transfer, wordOf(transfer)));
  }
}

/** What is told twice, because the mark of it was lost, has no second effect. */
async function tellSettled(deps: ChainDeps, transfers: readonly ChainTransferRow[]): Promise<void> {
  await report(deps, transfers, 'SETTLED');
  await keepTold(deps, transfers, 'SETTLED');
}

/** That they are mined was told before. */
async function tellFinal(deps: ChainDeps, transfers: readonly ChainTransferRow[]): Promise<void> {
  const ofCustomers = groupBy(transfers, ({ customerId }) => customerId).values();
  await Promise.all([...ofCustomers].map((some) => finalise(deps, some)));
  await keepTold(deps, transfers, 'FINAL');
}

/** One that has moved on meanwhile is told of that after this. */
async function keepTold(
  { db, clock }: ChainDeps,
  transfers: readonly ChainTransferRow[],
  word: ChainWord,
): Promise<void> {
  const references = transfers.map(({ reference }) => reference);
  await db.system((tx) => markTold(tx, references, word, clock.now()), ONE_STATEMENT);
}

const wordOf = ({ state }: ChainTransferRow): ChainWord =>
  state === 'WAITING' || state === 'CARRIED' ? 'REORGANISED' : state;

/** What is told twice, because the mark of it was lost, has no second effect. */
async function tell(deps: ChainDeps, transfer: ChainTransferRow, word: ChainWord): Promise<void> {
  switch (word) {
    case 'SETTLED':
      await report(deps, [transfer], 'SETTLED');
      if (transfer.told === 'REORGANISED') await markException(deps, transfer, false);
      break;
    case 'REJECTED':
      if (transfer.told === null) await report(deps, [transfer], 'REJECTED');
      else await tellReturn(deps, transfer);
      break;
    case 'REORGANISED':
      deps.alarm({ kind: 'REORGANISED', paymentId: transfer.paymentId });
      await markException(deps, transfer, true);
      break;
    case 'FINAL':
      await report(deps, [transfer], 'SETTLED');
      await finalise(deps, [transfer]);
      break;
    default:
      return assertNever(word);
  }
  await keepTold(deps, [transfer], word);
}

/** Stored first, as what a bank says; then the payment's workflow is woken, and the reconciler repeats that. */
async function report(
  deps: ChainDeps,
  transfers: readonly ChainTransferRow[],
  status: 'SETTLED' | 'REJECTED' | 'RETURNED',
): Promise<void> {
  const { db, clock, place } = deps;
  const told = transfers.map(
    ({ environment, customerId, paymentId, reference, hash, reason }): ChainReport => ({
      ...{ environment, customerId, paymentId, reference, status, bankReference: hash },
      reportId: `${reference}/${status}`,
      // That a signer refused is ours to know: the transfer was given up.
      reason: reason === 'SIGNING_REFUSED' ? 'VOIDED' : reason,
    }),
  );
  const { environment } = place;
  await wake(deps, await db.system((tx) => storeChainReports(tx, environment, told, clock.now())));
}

/** What a transfer waits for, or that it does not wait any more: stored with the mark that it is told. */
async function tellHold(deps: ChainDeps, reference: string): Promise<void> {
  const { db, clock } = deps;
  const stored = await db.system(async (tx) => {
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING' && transfer?.state !== 'CARRIED') return null;
    const { hold } = transfer;
    if (hold === transfer.toldHold) return null;
    const { environment, customerId, paymentId, toldHolds } = transfer;
    const told: ChainReport = {
      ...{ environment, customerId, paymentId, reference, reason: hold, status: 'ACCEPTED' },
      ...{ reportId: `${reference}/ACCEPTED/${String(toldHolds)}`, bankReference: null },
    };
    const ids = await storeChainReports(tx, environment, [told], clock.now());
    const marked = { ...transfer, toldHold: hold, toldHolds: toldHolds + 1 };
    await saveTransfer(tx, marked, clock.now());
    return ids;
  });
  if (stored !== null) await wake(deps, stored);
}

async function wake(
  { workflows }: ChainDeps,
  reports: readonly StoredChainReport[],
): Promise<void> {
  await Promise.all(
    reports.map(({ id, environment, customerId, paymentId, workflowId }) => {
      const ref = { customerId, environment, paymentId };
      return workflows.wakePayment(workflowId, ref, id.toString()).catch(() => undefined);
    }),
  );
}

/** A delivered payment whose block is gone is an exception until its transfer is mined again. */
async function markException(
  deps: ChainDeps,
  transfer: ChainTransferRow,
  isMissing: boolean,
): Promise<void> {
  await changeDelivered(deps, [transfer], ({ payment }) => {
    const isMarked = payment.reconciliationEvidence?.['kind'] === REORGANISED;
    if (isMissing) {
      const { reference } = transfer;
      return isMarked || payment.reconciliationStatus !== 'PENDING'
        ? null
        : {
            reconciliationStatus: 'EXCEPTION',
            reconciliationEvidence: { kind: REORGANISED, reference },
          };
    }
    const refs = withHash(payment.refs, transfer.hash);
    return isMarked
      ? { reconciliationStatus: 'PENDING', reconciliationEvidence: null, refs }
      : null;
  });
}

/** The block of each is final, and so is its payment; where something else is wrong with it, operators look. */
async function finalise(deps: ChainDeps, transfers: readonly ChainTransferRow[]): Promise<void> {
  await changeDelivered(deps, transfers, ({ payment }, transfer) => {
    const isMarked = payment.reconciliationEvidence?.['kind'] === REORGANISED;
    if (payment.reconciliationStatus === 'EXCEPTION' && !isMarked) return null;
    const { reference, hash, network } = transfer;
    return {
      reconciliationStatus: 'RECONCILED',
      reconciliationEvidence: { kind: 'CHAIN', network, reference, hash },
      // Another transaction of the nonce may have been mined than the one that was told.
      refs: withHash(payment.refs, hash),
      becomesFinal: true,
    };
  });
}

/**
 * A payment that was COMPLETED, of which the chain has nothing after all, and never will: its funds are back as
 * those are that a bank returns, whole.
 */
async function tellReturn(deps: ChainDeps, transfer: ChainTransferRow): Promise<void> {
  const { environment, customerId, paymentId, reference, network } = transfer;
  const scope = { customerId, environment };
  await report(deps, [transfer], 'RETURNED');
  await withLockedPayment(deps, scope, paymentId, async (locked) => {
    const { status, reconciliationStatus, reconciliationEvidence } = locked.payment;
    if (status !== 'RETURNED') {
      deps.alarm({ kind: 'UNEXPECTED_STATE', paymentId, status });
      return;
    }
    const isMarked = reconciliationEvidence?.['kind'] === REORGANISED;
    if (reconciliationStatus !== 'PENDING' && !isMarked) return;
    const evidence = { kind: 'CHAIN', network, reference } as const;
    const change = {
      reconciliationStatus: 'RECONCILED',
      reconciliationEvidence: evidence,
    } as const;
    await changePayment(locked, change, systemActor('chain'));
  });
}

/** Changes payments of a customer that are COMPLETED and not final; the reports that are stored of them are applied first. */
async function changeDelivered(
  deps: ChainDeps,
  transfers: readonly ChainTransferRow[],
  changeOf: (locked: LockedPayment, transfer: ChainTransferRow) => PaymentChange | null,
): Promise<void> {
  const [first] = transfers;
  if (first === undefined) return;
  const { environment, customerId } = first;
  const ids = transfers.map(({ paymentId }) => paymentId);
  const unexpected = await withLockedPayments(
    deps,
    { customerId, environment },
    ids,
    async (all) => {
      const changes = all.flatMap((locked) => {
        const { payment } = locked;
        const transfer = transfers.find(({ paymentId }) => paymentId === payment.id);
        const isOver = payment.status !== 'COMPLETED' || payment.finality === 'FINAL';
        const change = isOver || transfer === undefined ? null : changeOf(locked, transfer);
        return change === null ? [] : [{ locked, change }];
      });
      await changePayments(changes, systemActor('chain'));
      return all.map(({ payment }) => payment).filter(({ status }) => status !== 'COMPLETED');
    },
  );
  for (const { id, status } of unexpected) {
    deps.alarm({ kind: 'UNEXPECTED_STATE', paymentId: id, status });
  }
}
