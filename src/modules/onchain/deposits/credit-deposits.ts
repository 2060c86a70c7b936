import {
  readCreditableDeposits,
  readFinalDeposits,
} from '../../../db/onchain/read-deposit-store.ts';
import type { UnbookedDeposit } from '../../../db/onchain/read-deposit-store.ts';
import { LARGE_ABOVE } from '../../../domain/onchain/credit-depth.ts';
import { blockDeposit, finaliseDeposit } from '../../../domain/onchain/deposits/funding-book.ts';
import type { AddressVerdict } from '../../../domain/parties/screening/address-screening.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../../../domain/parties/screening/screening-provider.ts';
import { bookDeposit, holdForReview } from './book-deposit.ts';
import { creditOrHold } from './credit-or-hold.ts';
import { pastRefusal } from './past-refusal.ts';
import type { ReaderDeps, ReaderCycle } from './reader-deps.ts';
import { proveEach } from './settle-transaction.ts';

/** Deposits of one poll cycle; what is left comes with the next one. */
const TICK_DEPOSITS = 200;

/** These look-ups failed for something about one address; every other failure is the provider's as a whole. */
const OF_ONE_ADDRESS: readonly ScreeningFailure[] = ['SCREENING_REFUSED', 'SCREENING_GARBLED'];

/** A provider that fails so often in a row, for whichever address, is not asked again in the same poll cycle. */
const FAILURES_MAX = 3;

/**
 * Credits what is deep enough, of which both providers have the receipt and whose sender is clear. One whose sender
 * could not be looked up waits for the next poll cycle, behind the others: no address that the screening provider
 * always fails for keeps those from being asked about. Where the provider fails as a whole, all that are to be looked
 * up wait: it may take seconds to fail each time. Throws ChainUnreadable.
 */
export async function creditDeposits(deps: ReaderDeps, { heads }: ReaderCycle): Promise<void> {
  const upTo = {
    credit: heads.credit.number,
    creditAbove: heads.creditAbove.number,
    largeAbove: LARGE_ABOVE,
  };
  const waiting = await deps.db.system((tx) =>
    readCreditableDeposits(tx, deps.place, { ...upTo, now: deps.clock.now() }, TICK_DEPOSITS),
  );
  const prove = proveEach();
  let failures = 0;
  for (const deposit of failedLast(deps, waiting)) {
    const isAsked = deposit.review === null;
    if (isAsked && failures >= FAILURES_MAX) continue;
    if ((await prove(deps, deposit)) !== true) continue;
    const judged = await judgeSender(deps, deposit);
    if (judged instanceof ScreeningError) {
      deps.failedLookUps.add(deposit.id);
      if (!OF_ONE_ADDRESS.includes(judged.code)) failures += 1;
      continue;
    }
    if (isAsked) failures = 0;
    await pastRefusal(deps, deposit, () => takeVerdict(deps, deposit, judged));
  }
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

/** Makes final what is credited of blocks up to `upTo`, read as final, and is still there. */
export async function finaliseDeposits(deps: ReaderDeps, upTo: bigint): Promise<void> {
  const credited = await deps.db.system((tx) =>
    readFinalDeposits(tx, deps.place, { block: upTo, now: deps.clock.now() }, TICK_DEPOSITS),
  );
  const prove = proveEach();
  for (const deposit of credited) {
    if ((await prove(deps, deposit)) !== true) continue;
    await pastRefusal(deps, deposit, () => bookDeposit(deps, deposit, finaliseDeposit));
  }
}
