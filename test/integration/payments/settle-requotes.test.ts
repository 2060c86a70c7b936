import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { readFxExposure } from '../../../src/db/ledger/fx-position-store.ts';
import { lockPayments } from '../../../src/db/payments/payment-store.ts';
import { systemActor } from '../../../src/domain/actor.ts';
import { attemptAbandoned } from '../../../src/domain/payments/attempt.ts';
import { canceled } from '../../../src/domain/payments/cancel-rules.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { changePayment } from '../../../src/modules/payments/change-payment.ts';
import { readLocked } from '../../../src/modules/payments/lock-payment.ts';
import { rebuildPaymentAnswer } from '../../../src/modules/payments/rebuild-payment-answer.ts';
import { saveAttempt } from '../../../src/modules/payments/take-steps.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import { operatorAct, resumeRelease, stopRelease } from '../../support/payments/stop-release.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

const GRACE_MS = 120_000;
const LOCK_MS = 60_000;
const HELD_MS = LOCK_MS + GRACE_MS;
const DAY_MS = 24 * 3_600_000;
/** Each rate of a customer is 1 % below the middle: 10.00 EUR cost 11.23 USD at 0.9. */
const pricing = {
  ...{ markupBps: 100, feeBps: 0, feeFixed: '0' },
  ...{
    assetMarkupBps: ASSET_MARKUP_BPS,
    lockMarkupPercent: 0,
    hasCurrencies: true,
    graceMs: GRACE_MS,
  },
};
const FUNDS = 1_000_000;

const NO_FEES = createFeeSchedule();
let schedule = NO_FEES;

let harness: ScriptedHarness;
beforeEach(async () => {
  schedule = NO_FEES;
  harness = await startScriptedHarness(undefined, {
    settings: {
      quotes: { test: pricing, live: pricing },
      fees: { feesOf: (payment) => schedule.feesOf(payment) },
    },
  });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', BigInt(FUNDS));
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterEach(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** A payment of 10.00 EUR from the balance in USD, which costs 12.00 USD at most; its quote is locked for a minute. */
async function accept(overrides: object = {}, lockFor = '1m'): Promise<string> {
  const { id: quoteId, targetAmount: amount } = await quote(harness, { lockFor });
  const source = { sourceCurrency: 'USD', onQuoteExpiry: 'REQUOTE', maxSourceAmount: '12.00' };
  return harness.accept({ quoteId, amount, ...source, ...overrides });
}

interface ShownPayment {
  readonly quoteId: string;
  readonly rate: string;
  readonly rateHeldUntil: string;
  readonly source: { readonly amount: string };
}

const show = async (id: string) =>
  (await harness.ask({ url: `/payments/${id}` })).json<ShownPayment>();
const cancel = (id: string) => harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
const quotesOf = (id: string) =>
  harness.rows('SELECT requote FROM quotes WHERE payment_id = $1 ORDER BY requote', [id]);
const typesOf = async (id: string) =>
  (
    await harness.rows<{ type: string }>(
      'SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version',
      [id],
    )
  ).map(({ type }) => type);
/** Of the balance in USD, in minor units. */
const usd = async () => {
  const { available, reserved } = await harness.balance('USD');
  return { available: Number(available), reserved: Number(reserved) };
};
const feeOfRail = (fixed: bigint) =>
  createFeeSchedule([
    {
      ...{ type: 'RAIL', currency: 'USD', environment: null, rail: null, country: null, fixed },
      ...{ bps: 0, min: null, max: null },
    },
  ]);
const becomes = (EUR: string) => publishRates(harness, { EUR });
const ALL_BACK = { available: FUNDS, reserved: 0 };
const WAITS = { status: 'ON_HOLD', statusDetail: 'AWAITING_RATE' };

describe('a payment that is priced anew when its rate is over', () => {
  it('reserves its maximum, and takes no more than its price when it is sent in time', async () => {
    const id = await accept();
    expect(await usd()).toEqual({ available: FUNDS - 1_200, reserved: 1_200 });
    harness.clock.advance(HELD_MS - 1);
    expect((await harness.drive(id)).story).toEqual(['PROCESSING/QUEUED', 'COMPLETED/DELIVERED']);
    expect(await usd()).toEqual({ available: FUNDS - 1_123, reserved: 0 });
    expect(await quotesOf(id)).toEqual([{ requote: 0 }]);
  });

  it('is sent at the rate of that moment, less the markup, with the same target amount', async () => {
    const id = await accept();
    const before = await show(id);
    harness.clock.advance(HELD_MS);
    await becomes('0.85');
    const now = harness.clock.now().getTime();
    const { payment, story } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'COMPLETED', amount: 1_000n, rate: '0.8415' });
    expect(story).toEqual([
      ...['PROCESSING/QUEUED', 'PROCESSING/REQUOTED', 'PROCESSING/SUBMITTING'],
      'COMPLETED/DELIVERED',
    ]);
    expect(await typesOf(id)).toEqual([
      ...['payment.created', 'payment.requoted', 'payment.updated', 'payment.completed'],
    ]);
    const after = await show(id);
    expect(after.source.amount).toBe('11.89');
    expect(after.rateHeldUntil).toBe(new Date(now + HELD_MS).toISOString());
    expect(after.quoteId).not.toBe(before.quoteId);
    for (const { quoteId } of [before, after]) {
      const used = await harness.ask({ url: `/quotes/${quoteId}` });
      expect(used.json()).toMatchObject({ status: 'CONSUMED', paymentId: id });
    }
    expect(harness.bank.puts()).toHaveLength(1);
    expect(await usd()).toEqual({ available: FUNDS - 1_189, reserved: 0 });
    const exposure = await harness.database.db.system((tx) =>
      readFxExposure(tx, 'test', harness.clock.now()),
    );
    expect(exposure).toMatchObject([
      { currency: 'EUR', settled: -1_000n },
      { currency: 'USD', settled: 1_189n },
    ]);
  });

  it('leaves a better price to its customer', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.95');
    expect((await harness.drive(id)).payment).toMatchObject({
      status: 'COMPLETED',
      rate: '0.9405',
    });
    expect(await usd()).toEqual({ available: FUNDS - 1_064, reserved: 0 });
  });

  it('gains nothing by a hold: the market of the moment in which it is lifted prices it', async () => {
    await stopRelease(harness);
    const id = await accept();
    for (const rate of ['0.95', '0.99', '0.85']) {
      harness.clock.advance(HELD_MS);
      await becomes(rate);
      expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    }
    expect((await show(id)).rate).toBe('0.891');
    await resumeRelease(harness);
    expect((await harness.drive(id)).payment).toMatchObject({
      status: 'COMPLETED',
      rate: '0.8415',
    });
    expect(await quotesOf(id)).toHaveLength(2);
  });

  it('keeps a longer lock of its quote', async () => {
    const id = await accept({}, '15m');
    harness.clock.advance(15 * 60_000 + GRACE_MS - 1);
    await becomes('0.95');
    expect((await harness.drive(id)).payment).toMatchObject({ status: 'COMPLETED', rate: '0.891' });
  });

  it('waits while its price is above its maximum, and is sent when it is within', async () => {
    harness.bank.onPut = says('ACCEPTED');
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.8');
    expect(await harness.settle(id)).toMatchObject({
      kind: 'WAIT',
      waitMs: 10_000,
      needsHuman: false,
    });
    const { version } = (await harness.tell(id)).payment;
    harness.clock.advance(10_000);
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject({ ...WAITS, version, rate: '0.891' });
    expect(await usd()).toEqual({ available: FUNDS - 1_200, reserved: 1_200 });
    harness.bank.onPut = says('SETTLED');
    harness.clock.advance(10_000);
    await becomes('0.85');
    const { payment, story } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'COMPLETED', rate: '0.8415' });
    expect(story).toContain('ON_HOLD/AWAITING_RATE');
    expect(await typesOf(id)).toContain('payment.requoted');
  });

  it('costs its maximum at most, to the last unit', async () => {
    const id = await accept({ maxSourceAmount: '11.89' });
    harness.clock.advance(HELD_MS);
    await becomes('0.8495');
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject(WAITS);
    harness.clock.advance(10_000);
    await becomes('0.85');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(await usd()).toEqual({ available: FUNDS - 1_189, reserved: 0 });
  });

  it('waits while there is no rate', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await harness.rows('DELETE FROM fx_rates');
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject(WAITS);
    await cancel(id);
  });

  it('can be canceled while it waits: all that was reserved is back', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.8');
    await harness.settle(id);
    expect(await harness.ask({ url: `/payments/${id}` }).then((one) => one.json())).toMatchObject({
      ...{ ...WAITS, cancelable: true },
    });
    expect((await cancel(id)).json()).toMatchObject({ status: 'CANCELED' });
    expect(await usd()).toEqual(ALL_BACK);
  });

  it('fails 24 hours after its first rate, whatever holds it: all that was reserved is back', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.8');
    await harness.settle(id);
    harness.clock.advance(DAY_MS - 5);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', waitMs: 5 });
    await stopRelease(harness);
    await harness.settle(id);
    expect((await harness.tell(id)).payment.statusDetail).toBe('RELEASE_STOPPED');
    harness.clock.advance(5);
    await becomes('0.95');
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const answer = await harness.ask({ url: `/payments/${id}` });
    expect(answer.json()).toMatchObject({
      ...{ statusDetail: 'QUOTE_EXPIRED', failure: { code: 'quote_expired' } },
    });
    expect(await usd()).toEqual(ALL_BACK);
    expect(harness.bank.calls).toEqual([]);
  });

  it('is priced anew before a further attempt', async () => {
    harness.bank.onPut = says('REJECTED', 'AB05');
    harness.bank.onGet = says('REJECTED', 'AB05');
    const id = await accept();
    await harness.drive(id, ({ payment }) => payment.rejections === 1);
    harness.clock.advance(HELD_MS);
    await becomes('0.8');
    await harness.drive(id, ({ payment }) => payment.statusDetail === 'AWAITING_RATE');
    expect(harness.bank.puts()).toHaveLength(1);
    await becomes('0.85');
    harness.bank.onPut = says('SETTLED');
    expect((await harness.drive(id)).payment).toMatchObject({
      status: 'COMPLETED',
      rate: '0.8415',
    });
    expect(harness.bank.puts()).toHaveLength(2);
  });

  it('is priced anew before it is sent again where no byte had left', async () => {
    await harness.bank.goDown();
    const id = await accept();
    await expect(harness.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
    await harness.bank.comeBack();
    expect((await harness.tell(id)).attempts).toMatchObject([{ phase: 'NOT_SENT' }]);
    harness.clock.advance(HELD_MS);
    await becomes('0.85');
    const { payment, story } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'COMPLETED', rate: '0.8415' });
    expect(story).toContain('PROCESSING/REQUOTED');
    expect((await typesOf(id)).filter((type) => type === 'payment.requoted')).toHaveLength(1);
  });

  it('is neither priced anew nor ended while the bank may have it', async () => {
    harness.bank.onPut = () => 'SILENCE';
    const id = await accept();
    // Its rate ends between the send and the bank's second answer.
    harness.clock.advance(HELD_MS - 1);
    await harness.drive(id, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    await becomes('0.85');
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED', rate: '0.891' });
    expect(attempts).toMatchObject([{ phase: 'UNKNOWN', missingCount: 2 }]);
    expect(harness.bank.puts()).toHaveLength(1);
    harness.bank.onGet = says('SETTLED');
    harness.clock.advance(60_000);
    expect((await harness.drive(id)).payment).toMatchObject({ status: 'COMPLETED', rate: '0.891' });
    expect(await quotesOf(id)).toHaveLength(1);
  });

  it('is asked about after a restore at the price that it may have been sent at', async () => {
    const id = await accept();
    await harness.database.db.system((tx) => beginRestoreMode(tx, operatorAct(harness)));
    harness.clock.advance(HELD_MS);
    await becomes('0.85');
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment).toMatchObject({ status: 'COMPLETED', rate: '0.891' });
    expect(harness.bank.puts()).toEqual([]);
  });

  it('is priced anew and sent once by workers that come at once', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.85');
    const paymentId = id;
    await Promise.all(
      [1, 2, 3].map(() => harness.activities.settle({ ...harness.scope, paymentId })),
    );
    await harness.drive(id);
    expect(await quotesOf(id)).toEqual([{ requote: 0 }, { requote: 1 }]);
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('is canceled or sent, never both, where its customer cancels it while it is priced', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const id = await accept();
      harness.clock.advance(HELD_MS);
      await becomes('0.85');
      const [answer] = await Promise.all([cancel(id), harness.settle(id)]);
      const { payment, attempts } = await harness.drive(id);
      const isCanceled = answer.statusCode === 200;
      expect(payment.status).toBe(isCanceled ? 'CANCELED' : 'COMPLETED');
      expect(attempts[0]?.sends).toBe(isCanceled ? 0 : 1);
      await becomes('0.9');
    }
    expect((await usd()).reserved).toBe(0);
  });

  /** An erasure removes the stored answer: this one is told from what is kept. */
  const toldAgain = async (id: string): Promise<unknown> => {
    const { scope, vault, database } = harness;
    return JSON.parse(
      await database.db.read(scope, (tx) => rebuildPaymentAnswer(vault, tx, scope, id)),
    );
  };
  const payAtRailFee = async () => {
    schedule = feeOfRail(50n);
    const asked = { amount: '10.00', sourceCurrency: 'USD' };
    const bound = { onQuoteExpiry: 'REQUOTE', maxSourceAmount: '14.00' };
    const answer = await harness.pay(harness.order({ ...asked, ...bound }), randomUUID());
    return answer.json<{ id: string; fees: { type: string; amount: string }[] }>();
  };

  it('has its first answer told again as it was, with the fee that its rail cost then', async () => {
    const first = await payAtRailFee();
    expect(first.fees).toMatchObject([{ type: 'RAIL', amount: '0.50' }]);
    harness.bank.onPut = says('REJECTED', 'AB05');
    harness.bank.onGet = says('REJECTED', 'AB05');
    for (const [rate, fixed] of [
      ['0.85', 75n],
      ['0.8', 60n],
    ] as const) {
      harness.clock.advance(HELD_MS);
      await becomes(rate);
      schedule = feeOfRail(fixed);
      const { rejections } = (await harness.tell(first.id)).payment;
      await harness.drive(first.id, ({ payment }) => payment.rejections > rejections);
    }
    expect(await quotesOf(first.id)).toHaveLength(3);
    const expectedArrival = { at: null, reason: 'NOT_RECORDED' };
    expect(await toldAgain(first.id)).toEqual({ ...first, expectedArrival });
    harness.bank.onPut = says('SETTLED');
    await harness.drive(first.id);
  });

  it('has its first answer told again with the last fee of its rail, where an older release priced it anew', async () => {
    const first = await payAtRailFee();
    harness.clock.advance(HELD_MS);
    schedule = feeOfRail(75n);
    await harness.drive(first.id);
    await harness.rows(`ALTER TABLE quotes DISABLE TRIGGER quote_is_only_consumed`);
    await harness.rows(`UPDATE quotes SET replaced_fees = NULL`);
    const told = await toldAgain(first.id);
    expect(told).toMatchObject({ rate: '0.891', fees: [{ type: 'RAIL', amount: '0.75' }] });
  });

  it('shows apart what is paid and what is released', async () => {
    const id = await accept();
    harness.clock.advance(HELD_MS);
    await becomes('0.85');
    await harness.drive(id);
    const transactions = await harness.ask({ url: `/balance-transactions?paymentId=${id}` });
    const lines = transactions.json<{
      data: { type: string; balance: string; amount: string }[];
    }>();
    expect(
      lines.data.map(({ type, balance, amount }) => `${type} ${balance} ${amount}`).reverse(),
    ).toEqual([
      ...['PAYMENT_HOLD AVAILABLE -12.00', 'PAYMENT_HOLD RESERVED 12.00'],
      ...['PAYMENT RESERVED -11.89', 'PAYMENT_RELEASE RESERVED -0.11'],
      'PAYMENT_RELEASE AVAILABLE 0.11',
    ]);
  });
});

describe('the timeline of a payment that is priced anew', () => {
  const expected = async (id: string) => {
    const answer = await harness.ask({ url: `/payments/${id}/timeline` });
    return answer
      .json<{ data: { expected: boolean; statusDetail: string; at: string | null }[] }>()
      .data.filter((row) => row.expected)
      .map(({ statusDetail, at }) => `${statusDetail} ${at ?? ''}`.trim());
  };

  it('tells until when it has its rate, and when it ends', async () => {
    const from = harness.clock.now().getTime();
    const iso = (ms: number) => new Date(from + ms).toISOString();
    const id = await accept();
    const ends = `QUOTE_EXPIRED ${iso(HELD_MS + DAY_MS)}`;
    const send = ['SUBMITTING', 'DELIVERED'];
    expect(await expected(id)).toEqual([...send, `REQUOTED ${iso(HELD_MS)}`, ends]);
    harness.clock.advance(HELD_MS);
    await becomes('0.8');
    await harness.settle(id);
    expect(await expected(id)).toEqual(['REQUOTED', ends]);
    await cancel(id);
  });
});

describe('the database itself', () => {
  const reprice = (id: string, change: string, at: Date) =>
    harness.rows(
      `UPDATE payments SET ${change}, version = version + 1, updated_at = $2 WHERE id = $1`,
      [id, at],
    );
  const toQuote = (quoteId: string) =>
    `quote_id = '${quoteId}', rate_held_until = $2::timestamptz + interval '1 min'`;

  it.each([
    ['while its rate is held', HELD_MS - 1, ''],
    ['once its time for that is over', HELD_MS + DAY_MS, ''],
    ['by another maximum', HELD_MS, ', max_source_amount = max_source_amount + 1'],
    ['by another end', HELD_MS, ", requote_until = requote_until + interval '1 day'"],
    ['in another state', HELD_MS, ", status = 'ON_HOLD', status_detail = 'AWAITING_RATE'"],
  ])('keeps the price of a payment %s', async (_case, afterMs, change) => {
    const id = await accept();
    const { id: other } = await quote(harness);
    const at = new Date(harness.clock.now().getTime() + afterMs);
    await expect(reprice(id, `${toQuote(other)}${change}`, at)).rejects.toThrow(
      'its price cannot change',
    );
    await harness.drive(id);
  });

  it('keeps the price of a payment without another quote, and for a time that is over', async () => {
    const id = await accept();
    const { id: other } = await quote(harness);
    const at = new Date(harness.clock.now().getTime() + HELD_MS);
    const later = "rate_held_until = $2::timestamptz + interval '1 min'";
    for (const change of [
      `rate = '0.8', ${later}`,
      `quote_id = '${other}', rate_held_until = $2::timestamptz`,
    ]) {
      await expect(reprice(id, change, at)).rejects.toThrow('its price cannot change');
    }
    await harness.drive(id);
  });

  it('keeps the price of a payment that the bank may have, and of one that is not to be priced anew', async () => {
    harness.bank.onPut = () => 'SILENCE';
    const sent = await accept();
    await harness.drive(sent, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    const ending = await accept({ onQuoteExpiry: 'FAIL', maxSourceAmount: undefined });
    const { id: other } = await quote(harness);
    const at = new Date(harness.clock.now().getTime() + HELD_MS);
    for (const id of [sent, ending]) {
      const change = `${toQuote(other)}, status = 'PROCESSING', status_detail = 'REQUOTED'`;
      await expect(reprice(id, change, at)).rejects.toThrow('its price cannot change');
    }
    harness.bank.onGet = says('SETTLED');
    harness.bank.onPut = says('SETTLED');
    await harness.drive(sent);
    await harness.drive(ending);
  });

  it('takes no price above the maximum, and none that is not of its quote', async () => {
    const id = await accept();
    const at = new Date(harness.clock.now().getTime() + HELD_MS);
    const other = await quote(harness);
    const change = toQuote(other.id);
    await expect(reprice(id, `${change}, source_amount = 1201`, at)).rejects.toThrow(
      'a_price_stays_below_its_maximum',
    );
    await expect(reprice(id, change, at)).rejects.toThrow('is not as quote');
    await harness.drive(id);
  });

  it('ends no payment of which money stays reserved, as the release before this one would', async () => {
    const id = await accept();
    const ended = harness.database.db.write(harness.scope, async (tx) => {
      const [row] = await lockPayments(tx, harness.scope, [id]);
      if (row === undefined) throw new Error('the payment is gone');
      const { corridors } = harness.deps;
      const now = harness.clock.now();
      const unknowing = { ...row, maxSourceAmount: null };
      let locked = await readLocked(tx, harness.scope, unknowing, { corridors, now });
      for (const attempt of locked.attempts) {
        locked = await saveAttempt(locked, attemptAbandoned(attempt, 'CANCELED_ON_REQUEST', now));
      }
      await changePayment(locked, canceled(row), systemActor('settlement'));
    });
    await expect(ended).rejects.toThrow('money stays reserved for it');
    await harness.drive(id);
  });
});
