import {
  readCreditableDeposits,
  readFinalDeposits,
} from '../../../db/onchain/read-deposit-store.ts';
import { ONE_STATEMENT } from '../../../db/client/database.ts';
import type { UnbookedDeposit } from '../../../db/onchain/read-deposit-store.ts';
import { LARGE_ABOVE } from '../../../domain/onchain/credit-depth.ts';
import { finaliseDepositsOf } from '../../../db/onchain/deposit-store.ts';
import { refusalCode } from '../../../db/client/outage.ts';
import { recordEvents } from '../../../db/webhooks/event-store.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Scope } from '../../../domain/scope.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { blockDeposit, finaliseDeposit } from '../../../domain/onchain/deposits/funding-book.ts';
import type { AddressVerdict } from '../../../domain/parties/screening/address-screening.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../../../domain/parties/screening/screening-provider.ts';
import { bookDeposit, holdForReview } from './book-deposit.ts';
import { creditOrHold } from './credit-or-hold.ts';
import { creditTogether } from './credit-together.ts';
import { pastRefusal } from './past-refusal.ts';
import type { ReaderDeps, ReaderCycle } from './reader-deps.ts';
import { findThere, isOverFloor } from './settle-transaction.ts';
import { wakePayments } from './wake-payments.ts';

/** Deposits of one poll cycle; what is left comes with the next one. */
const TICK_DEPOSITS = 200;

/** While no more wait, others are made of what is below the floor: none that cannot be credited fills the queue so. */
const SHORT_QUEUE = TICK_DEPOSITS / 2;

/** These look-ups failed for something about one address; every other failure is the provider's as a whole. */
const OF_ONE_ADDRESS: readonly ScreeningFailure[] = ['SCREENING_REFUSED', 'SCREENING_GARBLED'];

/** A provider that fails so often in a row, for whichever address, is not asked again in the same poll cycle. */
const FAILURES_MAX = 3;

/** Look-ups of senders at a time, while none fails. */
const ASKED_TOGETHER = 8;

/** Deposits of a customer that are credited at once: their addresses are locked meanwhile. */
const CREDITED_TOGETHER = 50;

/** Owners whose deposits are booked at a time: each booking waits for the database, and for no other owner. */
const BOOKED_TOGETHER = 4;

/**
 * Credits what is deep enough, of which both providers have the receipt and whose sender is clear. One whose sender
 * could not be looked up waits for the next poll cycle, behind the others: no address that the screening provider
 * always fails for keeps those from being asked about. Where the provider fails as a whole, all that are to be looked
 * up wait: it may take seconds to fail each time. Those below their floor come after the others. Answers whether more may
 * wait, and whether few do. Throws ChainUnreadable.
 */
export async function creditDeposits(
  deps: ReaderDeps,
  { heads }: ReaderCycle,
): Promise<{ readonly isMore: boolean; readonly isQueueShort: boolean }> {
  const upTo = {
    credit: heads.credit.number,
    creditAbove: heads.creditAbove.number,
    largeAbove: LARGE_ABOVE,
  };
  const waiting = await deps.db.system(
    (tx) =>
      readCreditableDeposits(tx, deps.place, { ...upTo, now: deps.clock.now() }, TICK_DEPOSITS),
    ONE_STATEMENT,
  );
  const isOver = isOverFloor(deps);
  const there = await thereOf(deps, failedLast(deps, waiting));
  const over = await book(deps, there.filter(isOver));
  const below = await book(
    deps,
    there.filter((one) => !isOver(one)),
  );
  return {
    isMore: waiting.length === TICK_DEPOSITS && over + below > 0,
    isQueueShort: waiting.length <= SHORT_QUEUE,
  };
}

/** Answers how many senders were looked up. */
async function book(deps: ReaderDeps, deposits: readonly UnbookedDeposit[]): Promise<number> {
  const judged = await judgeSenders(deps, deposits);
  await bookTogether(deps, judged.filter(isTogether));
  await byOwner(
    judged.filter((one) => !isTogether(one)),
    ({ deposit, verdict }) => pastRefusal(deps, deposit, () => takeVerdict(deps, deposit, verdict)),
  );
  return judged.length;
}

/** Those that are still in the block that they were found in. */
async function thereOf(
  deps: ReaderDeps,
  deposits: readonly UnbookedDeposit[],
): Promise<readonly UnbookedDeposit[]> {
  const isThere = await findThere(deps, deposits);
  const there: UnbookedDeposit[] = [];
  for (const deposit of deposits) {
    if ((await isThere(deposit)) === true) there.push(deposit);
  }
  return there;
}

interface Judged {
  readonly deposit: UnbookedDeposit;
  readonly verdict: AddressVerdict;
}

/** Looks up senders, several at a time while the provider answers. Those that could not be looked up are left out. */
async function judgeSenders(
  deps: ReaderDeps,
  deposits: readonly UnbookedDeposit[],
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  let failures = 0;
  let together = 1;
  let left = deposits;
  while (left.length > 0) {
    deps.signal?.throwIfAborted();
    const some = left.slice(0, together);
    left = left.slice(together);
    const asked = some.filter(({ review }) => review !== null || failures < FAILURES_MAX);
    const verdicts = await Promise.all(asked.map((deposit) => judgeSender(deps, deposit)));
    for (const [index, deposit] of asked.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) continue;
      if (verdict instanceof ScreeningError) {
        deps.failedLookUps.add(deposit.id);
        if (!OF_ONE_ADDRESS.includes(verdict.code)) failures += 1;
        together = 1;
        continue;
      }
      if (deposit.review === null) failures = 0;
      judged.push({ deposit, verdict });
    }
    if (failures === 0) together = Math.min(ASKED_TOGETHER, together * 2);
  }
  return judged;
}

/** Whether nothing but its own address says what becomes of it. */
const isTogether = ({ deposit, verdict }: Judged): boolean =>
  verdict === 'CLEAR' && deposit.depositAddressId !== null;

/** Credits deposits to standing addresses, several of a customer at once; one by one where the database refuses them. */
async function bookTogether(deps: ReaderDeps, judged: readonly Judged[]): Promise<void> {
  const deposits = judged.map(({ deposit }) => deposit);
  for (const [customerId, ofCustomer] of groupBy(deposits, (one) => one.customerId)) {
    for (let at = 0; at < ofCustomer.length; at += CREDITED_TOGETHER) {
      const some = ofCustomer.slice(at, at + CREDITED_TOGETHER);
      try {
        await creditTogether(deps, customerId, some);
      } catch (error) {
        if (refusalCode(error) === null) throw error;
        for (const deposit of some) {
          await pastRefusal(deps, deposit, () => creditOrHold(deps, deposit));
        }
      }
    }
  }
}

/** Works on each, those of one owner one after the other in their order. */
async function byOwner(
  judged: readonly Judged[],
  work: (one: Judged) => Promise<unknown>,
): Promise<void> {
  const owners = groupBy(judged, ({ deposit }) => deposit.paymentId ?? deposit.depositAddressId);
  const waiting = owners.values();
  await Promise.all(
    Array.from({ length: BOOKED_TOGETHER }, async () => {
      for (const ofOwner of waiting) for (const one of ofOwner) await work(one);
    }),
  );
}

/** Those whose look-up failed in an earlier poll cycle behind all others; what waits no more is forgotten. */
function failedLast(
  { failedLookUps }: ReaderDeps,
  waiting: readonly UnbookedDeposit[],
): readonly UnbookedDeposit[] {
  const failed = waiting.filter(({ id }) => failedLookUps.has(id));
  failedLookUps.clear();
  for (const { id } of failed) failedLookUps.add(id);
  return [...waiting.filter(({ id }) => !failedLookUps.has(id)), ...failed];
}

function takeVerdict(
  deps: ReaderDeps,
  deposit: UnbookedDeposit,
  verdict: AddressVerdict,
): Promise<boolean> {
  if (verdict === 'REVIEW') return holdForReview(deps, deposit);
  return verdict === 'CLEAR'
    ? creditOrHold(deps, deposit)
    : bookDeposit(deps, deposit, blockDeposit);
}

/** What an operator made of it, or else the look-up, or why that failed. */
async function judgeSender(
  { askAddress, place }: ReaderDeps,
  { review, from }: UnbookedDeposit,
): Promise<AddressVerdict | ScreeningError> {
  if (review === 'RELEASED') return 'CLEAR';
  if (review === 'REFUSED') return 'BLOCKED';
  if (askAddress === null) return 'REVIEW';
  try {
    const { network } = place;
    return (await askAddress({ network, address: from, reason: 'DEPOSIT' })).verdict;
  } catch (error) {
    if (error instanceof ScreeningError) return error;
    throw error;
  }
}

/**
 * Makes final what is credited of blocks up to `upTo`, read as final, and is still there, that of a customer in one
 * transaction. Answers whether more may wait.
 */
export async function finaliseDeposits(deps: ReaderDeps, upTo: bigint): Promise<boolean> {
  const { db, place, clock, workflows } = deps;
  const credited = await db.system(
    (tx) => readFinalDeposits(tx, place, { block: upTo, now: clock.now() }, TICK_DEPOSITS),
    ONE_STATEMENT,
  );
  const there = await thereOf(deps, credited);
  for (const [customerId, deposits] of groupBy(there, (one) => one.customerId)) {
    const scope: Scope = { customerId, environment: place.environment };
    try {
      await finalise({ db, clock, workflows }, scope, deposits);
    } catch (error) {
      if (refusalCode(error) === null) throw error;
      for (const deposit of deposits) {
        await pastRefusal(deps, deposit, () => bookDeposit(deps, deposit, finaliseDeposit));
      }
    }
  }
  return credited.length === TICK_DEPOSITS && there.length > 0;
}

/** Nothing moves in the books: so no book is locked. */
async function finalise(
  { db, clock, workflows }: Pick<ReaderDeps, 'db' | 'clock' | 'workflows'>,
  scope: Scope,
  deposits: readonly UnbookedDeposit[],
): Promise<void> {
  const at = clock.now();
  const final = await db.write(scope, async (tx) => {
    const rows = await finaliseDepositsOf(tx, scope, deposits, at);
    const drafts = rows.map((row) => depositEvent('deposit.final', row));
    if (drafts.length > 0) await recordEvents(tx, scope, drafts, at);
    return rows;
  });
  await wakePayments({ db, workflows }, scope, final);
}
