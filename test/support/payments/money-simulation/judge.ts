import { expect } from 'vitest';
import { nonZero, ownMoney, readBalances, readImbalances, readLedger, seenBy } from './books.ts';
import { toMinor } from './currencies.ts';
import { expectedBooks, type Accepted, type Price } from './expected-books.ts';
import { truthOf, type BankTruth } from './fate.ts';
import { lateTruth } from './late-truth.ts';
import type { Told } from './told.ts';
import { readCorridors, readPayments, type PaymentView } from './read-payments.ts';
import { checkRefusal, checkTwins, codesOf } from './refusals.ts';
import type { Simulated } from './simulate.ts';
import { priceOf } from './told-price.ts';

/** How many orders came to what, and which refusals there were. */
export interface Figures {
  readonly fates: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly currencies: number;
  readonly steps: number;
}

/** Holds everything that partners, ledger and bank say against the books of a second hand. */
export async function judge(simulated: Simulated): Promise<Figures> {
  const { world, told, decisions } = simulated;
  const { harness, payers, journal, market } = world;
  const views = await readPayments(harness, payers);
  const corridors = await readCorridors(harness);
  const accepted: Accepted[] = [];
  const fates: string[] = [];
  for (const one of told) {
    const price = await priceOf({ harness, ratesOn: market.ratesOn }, one);
    const { most, areReturnsDeducted } = corridors.get(one.plan.target.currency)!;
    checkRefusal(one, price, most);
    const truth = truthOf({ journal, areReturnsDeducted }, one, price?.arrives ?? 0n);
    if (one.answer?.status !== 201 || price === null) {
      fates.push(truth.fate);
      continue;
    }
    const view = views.get(one.answer.json.id)!;
    const late = lateTruth(truth, view, decisions);
    accepted.push(acceptedOf(one, price, late, view));
    fates.push(late.fate);
  }
  checkTwins(told);
  expect(journal.offences).toEqual([]);
  expect(views.size).toBe(accepted.length);

  const expected = expectedBooks(payers, accepted, simulated);
  expect(await readImbalances(harness)).toEqual([]);
  const ledger = await readLedger(harness);
  expect(sorted(ledger)).toEqual(sorted(expected));
  expect(sorted(ownMoney(ledger))).toEqual(sorted(nonZero(world.atBank)));
  expect(sorted(await readBalances(harness, payers))).toEqual(sorted(seenBy(expected)));
  // A checkpoint ends at an id, which carries the machine's time: here it is weeks behind the simulated one.
  await harness.rows('DELETE FROM fx_checkpoints');
  await harness.expectBooksToHold();

  const refusals = told.flatMap(({ answer, quote }) => {
    const last = answer ?? quote?.answer;
    return last === undefined || last.status === 201 ? [] : codesOf(last);
  });
  return {
    ...{ fates: countBy(fates), kinds: countBy(told.map(({ plan }) => plan.kind)) },
    refusals: countBy(refusals),
    currencies: new Set(accepted.flatMap(({ price }) => [price.source, price.target])).size,
    steps: world.workflows.steps(),
  };
}

const OPEN_STATUSES = ['PROCESSING', 'ON_HOLD', 'SENT'];

function acceptedOf(
  { payer, plan }: Told,
  price: Price,
  truth: BankTruth,
  view: PaymentView,
): Accepted {
  const where = `order ${String(plan.number)}: ${JSON.stringify(plan.bank)}`;
  if (truth.fate === 'OPEN') expect(OPEN_STATUSES, where).toContain(view.status);
  else expect(view.status, where).toBe(truth.fate === 'LATE' ? 'COMPLETED' : truth.fate);
  const { target, source, arrives, converted } = price;
  expect(toMinor(view.amount, target), where).toBe(arrives);
  const credited = view.return === null ? 0n : toMinor(view.return.amount, target);
  expect(truth.credits, where).toContain(credited);
  if (view.return !== null) {
    const back = { currency: source, amount: (converted * credited) / arrives };
    const { currency, amount } = view.return.credited;
    expect({ currency, amount: toMinor(amount, currency) }, where).toEqual(back);
  }
  return { payer, truth, credited, price };
}

/** So that a difference is told by name. */
const sorted = (books: ReadonlyMap<string, bigint>) =>
  Object.fromEntries(
    [...books].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, minor]) => [key, String(minor)]),
  );

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
