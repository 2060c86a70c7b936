import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  GRACE_MS,
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
}, 1_800_000);
afterAll(() => play.harness.close());

/** What a payment gained its partner, and cost the platform: what it was worth when it was sent, less its price. */
const gainOf = ({ sent, paid }: Played): bigint =>
  sent === null ? 0n : play.costIn(sent.tick) - paid;

const ticksHeld = ({ quotedIn }: Played) =>
  Array.from({ length: TICKS_OF_RATE }, (_, ticks) => quotedIn + ticks);

/** The most that the market rose in the time for which the rate of a payment is held. */
const worstMoveOf = (one: Played): bigint =>
  ticksHeld(one).reduce((most, tick) => {
    const move = play.costIn(tick) - play.costIn(one.quotedIn);
    return move > most ? move : most;
  }, 0n);

const bestGainInTime = (one: Played): bigint =>
  ticksHeld(one).reduce((most, tick) => {
    const gain = play.costIn(tick) - one.paid;
    return gain > most ? gain : most;
  }, 0n);

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

describe(`${String(PAYMENTS)} quoted payments of partners who know the market: seed ${String(SEED)}`, () => {
  it('are never first sent at a rate older than its lock and the grace', () => {
    const late = play.played.filter(
      ({ sent, quotedAtMs }) => sent !== null && sent.atMs >= quotedAtMs + LOCK_MS + GRACE_MS,
    );
    expect(late).toEqual([]);
  });

  it('cost the platform at most what the market moves in that time, less the markup', () => {
    for (const one of play.played.filter(({ sent }) => sent !== null)) {
      const markup = (play.costIn(one.quotedIn) * BigInt(MARKUP_BPS)) / 10_000n;
      expect(gainOf(one), one.paymentId).toBeLessThanOrEqual(worstMoveOf(one) - markup + ROUNDING);
    }
  });

  it('gain their partners nothing by being held longer', () => {
    const foreseeing = play.played.filter(({ treatment }) => treatment === 'FORESEEING');
    const tooLate = foreseeing.filter(
      ({ goesIn, quotedIn }) => goesIn !== null && goesIn >= quotedIn + TICKS_OF_RATE,
    );
    expect(tooLate.length).toBeGreaterThan(PAYMENTS / 20);
    expect(sum(tooLate.map(gainOf))).toBe(0n);
    expect(sum(foreseeing.map(gainOf))).toBeLessThanOrEqual(sum(foreseeing.map(bestGainInTime)));
  });

  it('take from the balance what was sent, and nothing else', async () => {
    const { harness, played } = play;
    const sent = played.filter((one) => one.sent !== null);
    expect(sent.length).toBeGreaterThan(PAYMENTS / 4);
    const funded = BigInt(PAYMENTS) * 2_000n;
    const available = String(funded - sum(sent.map(({ paid }) => paid)));
    expect(await harness.balance('USD')).toEqual({ available, reserved: '0' });
    await harness.expectBooksToHold();
  });
});
