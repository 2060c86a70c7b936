import { expect } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { addRecipient, type Recipient } from '../add-recipient.ts';
import { approveEndUser } from '../approve-end-user.ts';
import { fund, publishRates, type QuoteAnswer } from '../quoted-harness.ts';
import { createCoverTrades } from './cover-trades.ts';
import { drawFrom } from './money-simulation/draw.ts';
import { eurosOf, exposureOf, sizeOfExposure, type UnusedQuote } from './open-exposure.ts';
import { createRateMarket, TARGET, type Direction, type RateMarket } from './rate-market.ts';
import { says } from './scripted-bank.ts';
import { startScriptedHarness, type ScriptedHarness } from './settlement-harness.ts';

export const LOCK_MS = 60_000;
export const GRACE_MS = 60_000;
export const MARKUP_BPS = 40;
/** The limit of the position in minor units of USD. */
export const LIMIT = 20_000n;
export const DAY_MS = 24 * 3_600_000;

/** Time between two moves of the market while payments are made, */
const TICK_MS = 15_000;
export const TICKS_OF_RATE = (LOCK_MS + GRACE_MS) / TICK_MS;
/** and while those that wait for a rate are all that is left. */
export const HOUR_MS = 3_600_000;
/** How far a partner sees: past any rate that is held, and past the longest look at a hold. */
const FORESIGHT_TICKS = 24;
/** End-users, each of whom has one payment at a time. */
const SLOTS = 40;
/** As many as wait at once within the limit of the position. */
const WAITING = 16;

/**
 * How a partner treats a payment. AT_ONCE: nothing holds it. FORESEEING: he changes the end-user's name, so that the
 * payment waits, and has the new name approved when the market is at its best for him; if it never is, he cancels.
 * FORESEEING_IN_TIME does so too, and never waits past the end of the rate. ANEW does as FORESEEING with a payment to EUR
 * that is priced anew when its rate is over. AT_RANDOM: he lets it go at any time. WAITING: one that is priced anew is let
 * go or canceled at any hour of more than a day.
 */
const TREATMENTS = ['AT_ONCE', 'FORESEEING', 'FORESEEING_IN_TIME', 'ANEW', 'AT_RANDOM'] as const;
type Treatment = (typeof TREATMENTS)[number] | 'WAITING';

/** One payment at a quote. Amounts are minor units of its source unless said otherwise. */
export interface Played {
  readonly paymentId: string;
  readonly treatment: Treatment;
  readonly direction: Direction;
  readonly quotedAtMs: number;
  /** Of the market, from 0. */
  readonly quotedIn: number;
  /** By its quote. */
  readonly price: bigint;
  /** The most that it may cost; null where it is not priced anew. */
  readonly maximum: bigint | null;
  /** The tick in which the partner lets it go; null where he cancels it. */
  readonly goesIn: number | null;
  /** The tick from which the partner would rather have it canceled; null for never. */
  readonly givenUpIn: number | null;
  /** When the bank got it first; null where it never did. */
  sent: { readonly atMs: number; readonly tick: number } | null;
  /** What it cost, as the API says; null where it was not paid. */
  paid: bigint | null;
  end: 'PAID' | 'NOT_PAID' | null;
  endedAtMs: number | null;
  isCanceled: boolean;
  /** The ticks in which it was let go and not sent. */
  readonly waitedIn: number[];
  /** The tick in which the partner has it returned, and how much of its target; null where he does not. */
  returns: { readonly in: number; readonly target: bigint } | null;
  /** What came back; `euros` is what of EUR that took from the platform. */
  back: { readonly tick: number; readonly credited: bigint; readonly euros: bigint } | null;
}

/** The position in minor units of USD before and after the partners' moves of a tick. */
interface Tick {
  readonly tick: number;
  readonly accepted: number;
  readonly before: bigint;
  readonly after: bigint;
  readonly isLong: boolean;
}

export interface RateOptions {
  readonly harness: ScriptedHarness;
  readonly market: RateMarket;
  readonly played: readonly Played[];
  readonly ticks: readonly Tick[];
  /** What the position would at most have been with each quote that was refused. */
  readonly refused: readonly bigint[];
  /** What each balance had at first. */
  readonly funds: { readonly USD: bigint; readonly EUR: bigint };
}

const US_ACCOUNT = {
  ...{ country: 'US', currency: 'USD' },
  details: { routingNumber: '021000021', accountNumber: '123456789', accountType: 'CHECKING' },
};
const minor = (amount: string): bigint => BigInt(amount.replace('.', ''));
const text = (amount: bigint): string => {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/**
 * Partners who know every move of the market hold, let go, cancel and have returned quoted payments in both directions
 * while it moves, and leave quotes unused; the platform covers its position now and then.
 */
export async function playRateOptions(seed: number, payments: number): Promise<RateOptions> {
  const pricing = {
    ...{ markupBps: MARKUP_BPS, feeBps: 0, feeFixed: '0' },
    ...{ assetMarkupBps: ASSET_MARKUP_BPS, lockMarkupPercent: 0, hasCurrencies: true },
    ...{ graceMs: GRACE_MS, positionLimit: text(LIMIT) },
  };
  const harness = await startScriptedHarness(undefined, {
    settings: { quotes: { test: pricing, live: pricing } },
  });
  const { clock, scope, bank } = harness;
  const nowMs = () => clock.now().getTime();
  await fund(harness, scope, 'USD', BigInt(payments) * TARGET * 4n);
  const balanceOf = async (currency: string) => BigInt((await harness.balance(currency)).available);
  const funds = { USD: await balanceOf('USD'), EUR: await balanceOf('EUR') };
  const market = createRateMarket(seed);
  const { costIn } = market;
  const trade = createCoverTrades(harness);

  const played: Played[] = [];
  const ticks: Tick[] = [];
  const refused: bigint[] = [];
  let tick = 0;
  let covered = 0n;
  let trades = 0;
  let unused: UnusedQuote[] = [];
  bank.onPut = (call) => {
    const { remittance } = JSON.parse(call.body) as { readonly remittance: string };
    const one = played[Number(remittance)];
    if (one !== undefined) one.sent ??= { atMs: nowMs(), tick };
    return says('SETTLED')(call);
  };

  let refusedNow: Direction[] = [];
  async function quoteFor(direction: Direction): Promise<QuoteAnswer | null> {
    const [sourceCurrency, targetCurrency] =
      direction === 'TO_EUR' ? ['USD', 'EUR'] : ['EUR', 'USD'];
    const body = { sourceCurrency, targetCurrency, targetAmount: text(TARGET), lockFor: '1m' };
    const answer = await harness.ask({ method: 'POST', url: '/quotes', body });
    if (answer.statusCode === 201) return answer.json<QuoteAnswer>();
    expect(answer.json(), answer.body).toMatchObject({ error: 'rate_unavailable' });
    refusedNow.push(direction);
    return null;
  }

  const ticksAhead = (count: number) =>
    Array.from({ length: count + 1 }, (_, ahead) => tick + ahead);

  /** When a partner who sees the market lets a payment go: null where it never pays off. */
  function planFor(
    { treatment, direction }: { treatment: Treatment; direction: Direction },
    number: number,
    price: bigint,
  ): number | null {
    const draw = drawFrom(seed, 2, number);
    if (treatment === 'AT_ONCE') return tick;
    if (treatment === 'AT_RANDOM') return tick + draw.int(0, FORESIGHT_TICKS);
    if (treatment === 'WAITING') return draw.chance(80) ? tick + draw.int(0, 26) : null;
    const sees = treatment === 'FORESEEING_IN_TIME' ? TICKS_OF_RATE - 1 : FORESIGHT_TICKS;
    const cost = (one: number) => costIn(direction, one);
    const best = ticksAhead(sees).reduce((most, one) => (cost(one) > cost(most) ? one : most));
    return cost(best) > price ? best : null;
  }

  /** A partner whose beneficiary works with him has a payment returned when what was paid out is worth the least. */
  function planReturn(one: Played, number: number): Played['returns'] {
    const draw = drawFrom(seed, 3, number);
    if (one.paid === null || one.treatment === 'WAITING' || !draw.chance(30)) return null;
    const cost = (at: number) => costIn(one.direction, at);
    const later = ticksAhead(FORESIGHT_TICKS).slice(1);
    const least = later.reduce((best, at) => (cost(at) < cost(best) ? at : best));
    const target = draw.pick([TARGET, TARGET, 999n, 333n, 1n]);
    return cost(least) < one.paid ? { in: least, target } : null;
  }

  interface Slot extends Recipient {
    readonly direction: Direction;
  }

  async function begin(slot: Slot, number: number, isWaiting = false): Promise<Played | null> {
    const { endUserId, bankAccountId, direction } = slot;
    const quoted = await quoteFor(direction);
    if (quoted === null) return null;
    const drawn = drawFrom(seed, 1, number).pick(TREATMENTS);
    const ofSlot = drawn === 'ANEW' && direction === 'FROM_EUR' ? 'FORESEEING' : drawn;
    const treatment = isWaiting ? 'WAITING' : ofSlot;
    const price = minor(quoted.sourceAmount);
    const percentAbove = treatment === 'ANEW' ? [10n] : [0n, 1n, 2n, 20n];
    const above = drawFrom(seed, 4, number).pick(percentAbove);
    const isAnew = treatment === 'ANEW' || treatment === 'WAITING';
    const maximum = isAnew ? (price * (100n + above)) / 100n : null;
    const paymentId = await harness.accept({
      ...{ endUserId, bankAccountId, quoteId: quoted.id, reference: String(number) },
      ...{ amount: text(TARGET), currency: direction === 'TO_EUR' ? 'EUR' : 'USD' },
      ...(maximum !== null && {
        ...{ sourceCurrency: 'USD', onQuoteExpiry: 'REQUOTE', maxSourceAmount: text(maximum) },
      }),
    });
    const goesIn = planFor({ treatment, direction }, number, price);
    const one: Played = {
      ...{ paymentId, treatment, direction, quotedAtMs: nowMs(), quotedIn: tick, price, maximum },
      ...{ goesIn, givenUpIn: givenUpIn(treatment, goesIn, number), waitedIn: [] },
      ...{ sent: null, paid: null, end: null, endedAtMs: null, isCanceled: false },
      ...{ returns: null, back: null },
    };
    played[number] = one;
    if (treatment !== 'AT_ONCE') {
      await rename(harness, endUserId, `Other ${String(number)}`);
      renamed.add(slot);
    }
    if (drawFrom(seed, 5, number).chance(10)) await leaveUnused(number);
    return one;
  }

  function givenUpIn(treatment: Treatment, goesIn: number | null, number: number): number | null {
    if (goesIn === null)
      return tick + (treatment === 'WAITING' ? drawFrom(seed, 6, number).int(1, 22) : 1);
    return treatment === 'ANEW' ? goesIn + 4 : null;
  }

  async function leaveUnused(number: number): Promise<void> {
    const direction = drawFrom(seed, 7, number).pick(['TO_EUR', 'FROM_EUR'] as const);
    const quoted = await quoteFor(direction);
    if (quoted === null) return;
    const euros = eurosOf({ direction, price: minor(quoted.sourceAmount) });
    unused.push({ euros, expiresAtMs: nowMs() + LOCK_MS });
    acceptedNow += 1;
  }

  const renamed = new Set<Slot>();
  async function approve(slot: Slot): Promise<void> {
    if (!renamed.delete(slot)) return;
    await approveEndUser(harness.database.db, scope, slot.endUserId, clock.now());
  }

  /** What happens to a payment in this tick. */
  async function live(one: Played, number: number, slot: Slot): Promise<void> {
    const { paymentId, goesIn } = one;
    if (one.givenUpIn !== null && tick >= one.givenUpIn) {
      const answer = await harness.ask({ method: 'POST', url: `/payments/${paymentId}/cancel` });
      expect([200, 409], answer.body).toContain(answer.statusCode);
      one.isCanceled = answer.statusCode === 200;
    }
    const isLetGo = goesIn !== null && goesIn <= tick;
    if (isLetGo || one.isCanceled) await approve(slot);
    const isDone = (await harness.settle(paymentId)).kind === 'DONE';
    if (!isDone) {
      if (isLetGo) one.waitedIn.push(tick);
      return;
    }
    await approve(slot);
    one.end = one.sent === null ? 'NOT_PAID' : 'PAID';
    one.endedAtMs = nowMs();
    if (one.end === 'NOT_PAID') return;
    const shown = await harness.ask({ url: `/payments/${paymentId}` });
    one.paid = minor(shown.json<{ source: { amount: string } }>().source.amount);
    one.returns = planReturn(one, number);
  }

  async function returnWhatIsDue(): Promise<void> {
    const due = played.filter((one) => one?.returns?.in === tick && one.back === null);
    for (const one of due) {
      const { paymentId, returns, direction } = one;
      const told = await harness.tell(paymentId);
      const word = {
        reference: told.attempts.at(-1)?.reference,
        status: 'RETURNED',
        reason: 'AC04',
      };
      const amount = text(returns?.target ?? 0n);
      expect(await harness.callback({ ...word, amount })).toBe(202);
      await harness.applyTransferReports(paymentId);
      const shown = await harness.ask({ url: `/payments/${paymentId}` });
      const { credited } = shown.json<{ return: { credited: { amount: string } } }>().return;
      const target = returns?.target ?? 0n;
      const euros = direction === 'TO_EUR' ? -target : minor(credited.amount);
      one.back = { tick, credited: minor(credited.amount), euros };
    }
  }

  /** Buys or sells what is paid out and not covered, or half as much again. */
  async function cover(percent: bigint): Promise<void> {
    const { most } = exposureOf(
      played.filter((one) => one?.end === 'PAID'),
      { covered, unused: [], nowMs: nowMs() },
    );
    const euros = ((most < 0n ? -most : most) * percent) / 100n;
    const dollars = market.dollarsFor(euros, tick);
    if (dollars === 0n) return;
    const eur = { currency: 'EUR', minor: euros, rail: 'SEPA' };
    const usd = { currency: 'USD', minor: dollars, rail: 'ACH' };
    const sides = most < 0n ? { sold: usd, bought: eur } : { sold: eur, bought: usd };
    trades += 1;
    await trade({ reference: `T-${String(trades)}`, ...sides });
    covered += most < 0n ? euros : -euros;
  }

  let acceptedNow = 0;
  /** The moves of partners in a tick; answers which payments are open after it. */
  async function playTick(slots: readonly Slot[], isWaiting = false): Promise<void> {
    await publishRates(harness, { EUR: market.rateIn(tick) });
    await returnWhatIsDue();
    const draw = drawFrom(seed, 8, tick);
    if (draw.chance(20)) await cover(draw.pick([100n, 150n]));
    unused = unused.filter(({ expiresAtMs }) => expiresAtMs > nowMs());
    const measure = () => exposureOf(played, { covered, unused, nowMs: nowMs() });
    const before = measure();
    acceptedNow = 0;
    refusedNow = [];
    const lives = slots.map(async (slot) => {
      const number = numbers.get(slot) ?? (next < until ? next : null);
      if (number === null) return;
      if (!numbers.has(slot)) next += 1;
      numbers.set(slot, number);
      const isNew = played[number] === undefined;
      const one = played[number] ?? (await begin(slot, number, isWaiting));
      if (one === null) return;
      if (isNew) acceptedNow += 1;
      await live(one, number, slot);
      if (one.end !== null) numbers.delete(slot);
    });
    await Promise.all(lives);
    const after = measure();
    const size = sizeOfExposure(market, after, tick);
    const isLong = market.dollarsFor(after.most > 0n ? after.most : 0n, tick) === size;
    ticks.push({
      ...{ tick, accepted: acceptedNow, after: size, isLong },
      before: sizeOfExposure(market, before, tick),
    });
    // Each request saw at most what was there before, and all that was accepted in the tick.
    const added = played.filter(({ quotedIn }) => quotedIn === tick).map(eurosOf);
    const ofUnused = unused.filter(({ expiresAtMs }) => expiresAtMs === nowMs() + LOCK_MS);
    const all = [...added, ...ofUnused.map(({ euros }) => euros)];
    const seen = {
      most: all.reduce((sum, one) => (one > 0n ? sum + one : sum), before.most),
      least: all.reduce((sum, one) => (one < 0n ? sum + one : sum), before.least),
    };
    for (const direction of refusedNow) {
      const would =
        direction === 'TO_EUR'
          ? { ...seen, least: seen.least - TARGET }
          : { ...seen, most: seen.most + (costIn(direction, tick) * 1_005n) / 1_000n };
      refused.push(sizeOfExposure(market, would, tick));
    }
  }

  const numbers = new Map<Slot, number>();
  let next = 0;
  let until = payments;
  const addSlot = async (direction: Direction): Promise<Slot> => {
    const account = direction === 'TO_EUR' ? {} : US_ACCOUNT;
    return { ...(await addRecipient(harness, account)), direction };
  };
  const slots: Slot[] = [];
  while (slots.length < SLOTS) {
    slots.push(await addSlot(slots.length % 2 === 0 ? 'TO_EUR' : 'FROM_EUR'));
  }
  const isReturnDue = () => played.some((one) => one.returns !== null && one.back === null);
  for (; next < until || numbers.size > 0 || isReturnDue(); tick += 1) {
    await playTick(slots);
    clock.advance(TICK_MS);
  }

  // Those that wait for a rate for more than a day.
  await cover(100n);
  unused = [];
  clock.advance(LOCK_MS);
  const waiting: Slot[] = [];
  while (waiting.length < WAITING) waiting.push(await addSlot('TO_EUR'));
  until += WAITING;
  for (; next < until || numbers.size > 0; tick += 1) {
    await playTick(waiting, true);
    clock.advance(HOUR_MS);
  }
  return { harness, market, played, ticks, refused, funds };
}

async function rename({ app, headers }: ScriptedHarness, endUserId: string, lastName: string) {
  const answer = await app.inject({
    ...{ method: 'PATCH', url: `/api/v1/end-users/${endUserId}` },
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    payload: JSON.stringify({ individual: { lastName } }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
