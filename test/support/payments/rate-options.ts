import { expect } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { addRecipient, type Recipient } from '../add-recipient.ts';
import { approveEndUser } from '../approve-end-user.ts';
import { fund, publishRates, quote } from '../quoted-harness.ts';
import { drawFrom } from './money-simulation/draw.ts';
import { says } from './scripted-bank.ts';
import { startScriptedHarness, type ScriptedHarness } from './settlement-harness.ts';

export const LOCK_MS = 60_000;
export const GRACE_MS = 60_000;
export const MARKUP_BPS = 40;

/** Time between two moves of the market. */
const TICK_MS = 15_000;
export const TICKS_OF_RATE = (LOCK_MS + GRACE_MS) / TICK_MS;
const TICK_MOVE_BPS_MAX = 125;
/** How far a partner sees: past any rate that is held, and past the longest look at a hold. */
const FORESIGHT_TICKS = 24;
/** A rate is millionths of a euro for a dollar. */
const RATE_PARTS = 1_000_000n;
const FIRST_RATE = 900_000n;
const MINOR = 1_000n;
/** End-users, each of whom has one payment at a time. */
const SLOTS = 40;

/**
 * How a partner treats a payment. AT_ONCE: nothing holds it. FORESEEING: he changes the end-user's name, so that the
 * payment waits, and has the new name approved when the market is at its best for him; if it never is, he cancels.
 * FORESEEING_IN_TIME does so too, and never waits past the end of the rate. AT_RANDOM: he lets it go at any time.
 */
type Treatment = 'AT_ONCE' | 'FORESEEING' | 'FORESEEING_IN_TIME' | 'AT_RANDOM';
const TREATMENTS: readonly Treatment[] = [
  'AT_ONCE',
  'FORESEEING',
  'FORESEEING_IN_TIME',
  'AT_RANDOM',
];

/** One payment of 10.00 EUR from a balance in USD. */
export interface Played {
  readonly paymentId: string;
  readonly treatment: Treatment;
  readonly quotedAtMs: number;
  /** Of the market, from 0. */
  readonly quotedIn: number;
  /** Minor units of USD. */
  readonly paid: bigint;
  /** The tick in which the partner lets it go; null where he cancels it. */
  readonly goesIn: number | null;
  /** When the bank got it first; null where it never did. */
  sent: { readonly atMs: number; readonly tick: number } | null;
}

export interface RateOptions {
  readonly harness: ScriptedHarness;
  readonly played: readonly Played[];
  /** Minor units of USD that 10.00 EUR cost on the market in a tick, rounded down. */
  costIn(tick: number): bigint;
}

/** Partners who know every move of the market hold, let go and cancel quoted payments while it moves. */
export async function playRateOptions(seed: number, payments: number): Promise<RateOptions> {
  const pricing = {
    ...{ markupBps: MARKUP_BPS, feeBps: 0, feeFixed: '0' },
    ...{
      assetMarkupBps: ASSET_MARKUP_BPS,
      lockMarkupPercent: 0,
      hasCurrencies: true,
      graceMs: GRACE_MS,
    },
  };
  const harness = await startScriptedHarness(undefined, {
    settings: { quotes: { test: pricing, live: pricing } },
  });
  const { clock, scope, bank } = harness;
  await fund(harness, scope, 'USD', BigInt(payments) * MINOR * 2n);
  const rateIn = marketOf(seed);
  const costIn = (tick: number) => (MINOR * RATE_PARTS) / rateIn(tick);

  const played: Played[] = [];
  let tick = 0;
  bank.onPut = (call) => {
    const { remittance } = JSON.parse(call.body) as { readonly remittance: string };
    const one = played[Number(remittance)];
    if (one !== undefined) one.sent ??= { atMs: clock.now().getTime(), tick };
    return says('SETTLED')(call);
  };

  /** When a partner who sees the market lets a payment go: null where it never pays off. */
  function planFor(treatment: Treatment, number: number, paid: bigint): number | null {
    const draw = drawFrom(seed, 2, number);
    if (treatment === 'AT_ONCE') return tick;
    if (treatment === 'AT_RANDOM') return tick + draw.int(0, FORESIGHT_TICKS);
    const sees = treatment === 'FORESEEING' ? FORESIGHT_TICKS : TICKS_OF_RATE - 1;
    const ahead = Array.from({ length: sees + 1 }, (_, ticks) => tick + ticks);
    const best = ahead.reduce((most, one) => (costIn(one) > costIn(most) ? one : most));
    return costIn(best) > paid ? best : null;
  }

  async function begin(recipient: Recipient): Promise<Played> {
    const { endUserId, bankAccountId } = recipient;
    const number = played.length;
    const treatment = drawFrom(seed, 1, number).pick(TREATMENTS);
    const quotedAtMs = clock.now().getTime();
    // Its place is taken before anything is awaited.
    const one = { treatment, quotedAtMs, quotedIn: tick, sent: null };
    played.push({ ...one, paymentId: '', paid: 0n, goesIn: null });
    const { id: quoteId, sourceAmount } = await quote(harness);
    const paid = BigInt(sourceAmount.replace('.', ''));
    const order = { endUserId, bankAccountId, quoteId, reference: String(number) };
    const paymentId = await harness.accept(order);
    const goesIn = planFor(treatment, number, paid);
    const begun: Played = { ...one, paymentId, paid, goesIn };
    played[number] = begun;
    if (treatment !== 'AT_ONCE') {
      await rename(harness, endUserId, `Other ${String(number)}`);
      renamed.add(recipient);
    }
    return begun;
  }

  const renamed = new Set<Recipient>();
  async function approve(recipient: Recipient): Promise<void> {
    if (!renamed.delete(recipient)) return;
    await approveEndUser(harness.database.db, scope, recipient.endUserId, clock.now());
  }

  /** What happens to a payment in this tick; answers whether it has come to its end. */
  async function live({ paymentId, goesIn, quotedIn }: Played, recipient: Recipient) {
    if (goesIn === null && tick > quotedIn) {
      const answer = await harness.ask({ method: 'POST', url: `/payments/${paymentId}/cancel` });
      expect([200, 409], answer.body).toContain(answer.statusCode);
    }
    if (goesIn === null || goesIn <= tick) await approve(recipient);
    const isDone = (await harness.settle(paymentId)).kind === 'DONE';
    if (isDone) await approve(recipient);
    return isDone;
  }

  const recipients: Recipient[] = [];
  while (recipients.length < SLOTS) recipients.push(await addRecipient(harness));
  const open = new Map<Recipient, Played>();
  for (; played.length < payments || open.size > 0; tick += 1) {
    await publishRates(harness, { EUR: asText(rateIn(tick)) });
    const lives = recipients.map(async (recipient) => {
      const isNew = !open.has(recipient);
      if (isNew && played.length >= payments) return;
      const one = open.get(recipient) ?? (await begin(recipient));
      if (await live(one, recipient)) open.delete(recipient);
      else open.set(recipient, one);
    });
    await Promise.all(lives);
    clock.advance(TICK_MS);
  }
  return { harness, played, costIn };
}

/** A market that goes up or down at random in each tick. */
function marketOf(seed: number): (tick: number) => bigint {
  const walk = [FIRST_RATE];
  return (tick) => {
    while (walk.length <= tick) {
      const move = drawFrom(seed, 0, walk.length).int(-TICK_MOVE_BPS_MAX, TICK_MOVE_BPS_MAX);
      walk.push((walk.at(-1)! * BigInt(10_000 + move)) / 10_000n);
    }
    return walk[tick]!;
  };
}

const asText = (rate: bigint): string => {
  const digits = rate.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

async function rename({ app, headers }: ScriptedHarness, endUserId: string, lastName: string) {
  const answer = await app.inject({
    ...{ method: 'PATCH', url: `/api/v1/end-users/${endUserId}` },
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    payload: JSON.stringify({ individual: { lastName } }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
