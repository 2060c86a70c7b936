import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findQuote } from '../../../src/db/payments/quote-store.ts';
import { fund, publishRates, quote, type QuoteAnswer } from '../../support/quoted-harness.ts';
import {
  everyDeath,
  faultIn,
  keyed,
  keys,
  startTogetherHarness,
  type Keyed,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 10_000_000n);
});
let round = 0;
beforeEach(() => {
  harness.resetBank();
  round += 1;
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectAllWritten();
  await harness.close();
});

const names = (count: number) => keys(`round ${String(round)}`, count);
const by = (key: string, quoteId: string, sourceUnit: string | null = null): Keyed =>
  keyed(harness.payer, key, { quoteId, sourceUnit });
const stored = ({ id }: QuoteAnswer) =>
  harness.database.db.read(harness.scope, (tx) => findQuote(tx, harness.scope, id));
const codes = (outcomes: readonly PromiseSettledResult<unknown>[]): string[] =>
  outcomes.map((one) =>
    one.status === 'fulfilled' ? 'accepted' : (one.reason as { code: string }).code,
  );
const reservedUsd = async () => BigInt((await harness.balance('USD')).reserved);

it('of 60 payments that use one quote at once in two processes, one gets it', async () => {
  const quoted = await quote(harness);
  const before = await reservedUsd();
  const requests = names(60).map((key) => by(key, quoted.id));
  const outcomes = await Promise.all([
    harness.start().acceptAll(requests.slice(0, 30)),
    harness.start().acceptAll(requests.slice(30)),
  ]);
  const found = codes(outcomes.flat());
  expect(found.filter((code) => code === 'accepted')).toHaveLength(1);
  expect(found.filter((code) => code === 'quote_already_used')).toHaveLength(59);
  const [payment] = await harness.rows<{ id: string }>(
    'SELECT id FROM payments WHERE quote_id = $1',
    [quoted.id],
  );
  expect((await stored(quoted))?.paymentId).toBe(payment?.id);
  const cost = BigInt(quoted.sourceAmount.replace('.', ''));
  expect((await reservedUsd()) - before).toBe(cost);
});

it('what of a batch cannot have its quote is refused alone', async () => {
  const [first, shared, expired, other] = [
    await quote(harness),
    await quote(harness),
    await quote(harness),
    await quote(harness, { targetAmount: '20.00' }),
  ];
  await harness.rows('DELETE FROM quotes WHERE id = $1', [expired.id]);
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = names(7);
  const { acceptAll } = harness.start();
  const outcomes = await acceptAll([
    by(a, first.id, 'USD'),
    by(b, shared.id, 'USD'),
    by(c, shared.id, 'USD'),
    by(d, expired.id, 'USD'),
    by(e, other.id, 'USD'),
    keyed(harness.payer, f, { sourceUnit: 'USD' }),
    keyed(harness.payer, g, { sourceUnit: 'USD', amount: 99_000_000_00n }),
  ]);
  expect(codes(outcomes)).toEqual([
    ...['accepted', 'accepted', 'quote_already_used', 'resource_not_found', 'quote_mismatch'],
    ...['accepted', 'insufficient_balance'],
  ]);
  expect((await stored(other))?.consumedAt).toBeNull();
});

it('batches of two processes that want the same quotes in another order come to an end', async () => {
  const quotes = [];
  for (let n = 0; n < 12; n += 1) quotes.push(await quote(harness));
  const order = names(24);
  const one = quotes.map(({ id }, n) => by(order[n] ?? '', id, 'USD'));
  const two = [...quotes].reverse().map(({ id }, n) => by(order[12 + n] ?? '', id, 'USD'));
  const outcomes = await Promise.all([
    harness.start().acceptAll(one),
    harness.start().acceptAll(two),
  ]);
  const found = codes(outcomes.flat());
  expect(found.filter((code) => code === 'accepted')).toHaveLength(12);
  expect(found.filter((code) => code === 'quote_already_used')).toHaveLength(12);
});

it('a payment alone takes eight statements and one commit, plain six', async () => {
  const [a = '', b = '', c = ''] = names(3);
  const quoted = await quote(harness);
  for (const [request, statements] of [
    [by(a, quoted.id), 8],
    [keyed(harness.payer, b, { sourceUnit: 'USD' }), 8],
    [keyed(harness.payer, c), 6],
  ] as const) {
    const { accept, sent } = harness.start();
    await accept(request);
    expect(sent).toHaveLength(statements);
    expect(sent.filter(({ text }) => text === 'COMMIT')).toHaveLength(1);
  }
});

it.each(everyDeath(8))(
  'killed %s: the quote is used with its payment or not at all, and the next try has it',
  async (_when, place, fault) => {
    const quoted = await quote(harness);
    const [key = ''] = names(1);
    const process = harness.start({ faultAt: faultIn(1, place, fault) });
    await expect(process.accept(by(key, quoted.id))).rejects.toThrow();
    const left = await stored(quoted);
    const made = await harness.rows<{ id: string }>('SELECT id FROM payments WHERE quote_id = $1', [
      quoted.id,
    ]);
    expect(left?.paymentId ?? null).toBe(made[0]?.id ?? null);
    const again = await harness.start().accept(by(key, quoted.id));
    expect(again.isReplay).toBe(made.length === 1);
    expect((await stored(quoted))?.consumedAt).not.toBeNull();
  },
);
