import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TARGET } from '../../support/payments/rate-market.ts';
import {
  DAY_MS,
  GRACE_MS,
  HOUR_MS,
  LIMIT,
  LOCK_MS,
  MARKUP_BPS,
  playRateOptions,
  TICKS_OF_RATE,
  type Played,
  type RateOptions,
} from '../../support/payments/rate-options.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const PAYMENTS = sizeOf(400, 2_000);
const SEED = seedOf(29);
const ROUNDING = 2n;

let play: RateOptions;
beforeAll(async () => {
  play = await playRateOptions(SEED, PAYMENTS);
}, 3_600_000);
afterAll(() => play.harness.close());

const costIn = ({ direction }: Played, tick: number) => play.market.costIn(direction, tick);
const rateEndMs = ({ quotedAtMs }: Played) => quotedAtMs + LOCK_MS + GRACE_MS;
const sentOnes = () => play.played.filter(({ sent }) => sent !== null);
const isPricedAnew = (one: Played) =>
  one.maximum !== null && one.sent !== null && one.sent.atMs >= rateEndMs(one);

/** What a payment gained its partner, and cost the platform: what it was worth when it was sent, less its price. */
const gainOf = (one: Played): bigint =>
  one.sent === null ? 0n : costIn(one, one.sent.tick) - (one.paid ?? 0n);

/** The tick whose market made the price at which a payment was sent. */
const pricedIn = (one: Played): number =>
  one.sent !== null && isPricedAnew(one) ? one.sent.tick : one.quotedIn;

const ticksHeld = (one: Played) =>
  isPricedAnew(one)
    ? [pricedIn(one)]
    : Array.from({ length: TICKS_OF_RATE }, (_, ticks) => one.quotedIn + ticks);

/** The most that the market rose in the time for which the rate of a payment is held. */
const worstMoveOf = (one: Played): bigint =>
  ticksHeld(one).reduce((most, tick) => {
    const move = costIn(one, tick) - costIn(one, pricedIn(one));
    return move > most ? move : most;
  }, 0n);

const bestGainInTime = (one: Played): bigint =>
  ticksHeld(one).reduce((most, tick) => {
    const gain = costIn(one, tick) - one.price;
    return gain > most ? gain : most;
  }, 0n);

const markupIn = (one: Played, tick: number) => (costIn(one, tick) * BigInt(MARKUP_BPS)) / 10_000n;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

describe(`${String(PAYMENTS)} quoted payments of partners who know the market: seed ${String(SEED)}`, () => {
  it('are never first sent at a rate older than its lock and the grace', () => {
    const late = sentOnes().filter(
      (one) => one.maximum === null && one.sent !== null && one.sent.atMs >= rateEndMs(one),
    );
    expect(late).toEqual([]);
  });

  it('cost the platform at most what the market moves in that time, less the markup', () => {
    for (const one of sentOnes()) {
      const most = worstMoveOf(one) - markupIn(one, pricedIn(one)) + ROUNDING;
      expect(gainOf(one), one.paymentId).toBeLessThanOrEqual(most);
    }
  });

  it('gain their partners nothing by being held longer', () => {
    const tooLateOf = (treatment: Played['treatment']) =>
      play.played.filter(
        (one) =>
          one.treatment === treatment &&
          one.goesIn !== null &&
          one.goesIn >= one.quotedIn + TICKS_OF_RATE,
      );
    const tooLate = tooLateOf('FORESEEING');
    expect(tooLate.length).toBeGreaterThan(PAYMENTS / 25);
    expect(sum(tooLate.map(gainOf))).toBe(0n);
    const foreseeing = play.played.filter(({ treatment }) => treatment === 'FORESEEING');
    expect(sum(foreseeing.map(gainOf))).toBeLessThanOrEqual(sum(foreseeing.map(bestGainInTime)));
    const anew = tooLateOf('ANEW').filter(isPricedAnew);
    expect(anew.length).toBeGreaterThan(PAYMENTS / 50);
    for (const one of anew) expect(gainOf(one), one.paymentId).toBeLessThan(0n);
  });

  it('open no position beyond its limit in either direction, asked for at once or not', () => {
    const opened = play.ticks.filter(({ accepted }) => accepted > 0);
    for (const { tick, before, after } of opened) {
      const most = before > LIMIT ? before : LIMIT;
      expect(after, String(tick)).toBeLessThanOrEqual(most + ROUNDING);
    }
    const isNearLimit = ({ after }: (typeof opened)[number]) => after > (LIMIT * 9n) / 10n;
    expect(new Set(opened.filter(isNearLimit).map(({ isLong }) => isLong)).size).toBe(2);
    expect(play.refused.length).toBeGreaterThan(PAYMENTS / 10);
    for (const would of play.refused) expect(would).toBeGreaterThan(LIMIT - ROUNDING);
  });

  it('are priced anew within their maximum, and wait for a price a day at most', () => {
    const waiting = play.played.filter(({ treatment }) => treatment === 'WAITING');
    const ends = new Set(
      waiting.map(({ end, isCanceled }) => `${String(end)} ${String(isCanceled)}`),
    );
    expect([...ends].sort()).toEqual(['NOT_PAID false', 'NOT_PAID true', 'PAID false']);
    for (const one of play.played.filter(({ maximum }) => maximum !== null)) {
      const { paymentId, sent, paid, maximum, isCanceled, endedAtMs, waitedIn } = one;
      expect(paid ?? 0n, paymentId).toBeLessThanOrEqual(maximum ?? 0n);
      const untilMs = rateEndMs(one) + DAY_MS;
      if (sent !== null) expect(sent.atMs, paymentId).toBeLessThan(untilMs);
      else if (!isCanceled) {
        expect(endedAtMs, paymentId).toBeGreaterThanOrEqual(untilMs);
        expect(endedAtMs, paymentId).toBeLessThan(untilMs + HOUR_MS);
      }
      for (const tick of waitedIn) {
        const price = costIn(one, tick) + markupIn(one, tick) + ROUNDING;
        expect(price, paymentId).toBeGreaterThan(maximum ?? 0n);
      }
    }
  });

  it('that come back give back what they had cost for the part that did, and nothing more', () => {
    const back = play.played.filter((one) => one.back !== null);
    expect(back.length).toBeGreaterThan(PAYMENTS / 25);
    for (const { paymentId, paid, returns, back: came } of back) {
      const credit = ((paid ?? 0n) * (returns?.target ?? 0n)) / TARGET;
      expect(came?.credited, paymentId).toBe(credit);
    }
  });

  it('take from the balances what was sent and did not come back, and nothing else', async () => {
    const { harness, funds } = play;
    expect(sentOnes().length).toBeGreaterThan(PAYMENTS / 4);
    for (const [currency, direction] of [
      ['USD', 'TO_EUR'],
      ['EUR', 'FROM_EUR'],
    ] as const) {
      const own = sentOnes().filter((one) => one.direction === direction);
      const taken = sum(own.map(({ paid, back }) => (paid ?? 0n) - (back?.credited ?? 0n)));
      const available = String(funds[currency] - taken);
      expect(await harness.balance(currency)).toEqual({ available, reserved: '0' });
    }
    await harness.expectBooksToHold();
  });
});
