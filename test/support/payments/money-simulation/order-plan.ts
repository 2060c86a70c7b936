import { planBank, type BankPlan } from './bank-plan.ts';
import { DESTINATIONS, type Destination } from './currencies.ts';
import { drawFrom, type Draw } from './draw.ts';
import { drawMinor } from './draw-minor.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a partner asks for, and how many of all orders do. The last ones are to be refused. */
const KINDS = {
  PLAIN: 38,
  SCHEDULED: 10,
  /** By a quote of its own. */
  QUOTED: 22,
  /** From another currency's balance without a quote. */
  AUTOMATIC: 14,
  /** Two orders at once by one quote. */
  TWINS: 4,
  TOO_MUCH: 3,
  EXPIRED_QUOTE: 2,
  FOREIGN_QUOTE: 2,
  MISMATCHED_QUOTE: 2,
  SCHEDULED_CONVERTED: 1,
} as const;

export type OrderKind = keyof typeof KINDS;

/** One order, drawn from the seed and its number alone: nothing that happens changes it. */
export interface OrderPlan {
  readonly number: number;
  readonly kind: OrderKind;
  /** From the start of the simulation. */
  readonly atMs: number;
  /** Which of the customers. */
  readonly payer: number;
  readonly target: Destination;
  /** The balance that pays. */
  readonly source: Destination;
  /** Minor units of the target; of the source for a quote with that side fixed. */
  readonly minor: bigint;
  readonly quote: QuotePlan;
  /** Days ahead. */
  readonly scheduledInDays: number;
  /** A cancel so long after acceptance. */
  readonly cancelAfterMs: number | null;
  /** The request comes again: as it was, with another body, or both. */
  readonly repeats: readonly ('SAME' | 'OTHER_BODY')[];
  /** Its workflow starts so much later: the reconciler makes up for a start that got lost. */
  readonly startDelayMs: number;
  /** Two workers have its first step at once. */
  readonly isWorkedTwice: boolean;
  readonly bank: BankPlan;
}

export interface QuotePlan {
  readonly fixedSide: 'SOURCE' | 'TARGET';
  readonly lockFor: '1m' | '15m' | '1h';
  /** From the quote to the order. */
  readonly waitMs: number;
}

export interface Span {
  readonly orders: number;
  readonly days: number;
  readonly payers: number;
}

/** Orders that come at once. */
const BURST = 40;

/** All orders, in bursts during the days' working hours. */
export function planOrders(seed: number, span: Span): OrderPlan[] {
  return Array.from({ length: span.orders }, (_none, number) => planOrder(seed, number, span));
}

function planOrder(seed: number, number: number, { orders, days, payers }: Span): OrderPlan {
  const draw = drawFrom(seed, number);
  const kind = draw.weighted(KINDS);
  const target = draw.pick(DESTINATIONS);
  const others = DESTINATIONS.filter((one) => one !== target);
  const source = isConverted(kind) ? draw.pick(others) : target;
  const quote = planQuote(draw, kind);
  const fixed = isQuoted(kind) && quote.fixedSide === 'SOURCE' ? source : target;
  const bursts = Math.ceil(orders / days / BURST);
  return {
    ...{ number, kind, target, source, quote },
    atMs: draw.int(0, days - 1) * DAY_MS + 6 * HOUR_MS + draw.int(0, bursts - 1) * 31 * MINUTE_MS,
    payer: draw.int(0, payers - 1),
    minor: kind === 'TOO_MUCH' ? 9n * 10n ** BigInt(11 + fixed.decimals) : drawMinor(draw, fixed),
    scheduledInDays: draw.int(0, 4),
    cancelAfterMs: draw.chance(kind === 'SCHEDULED' ? 35 : 12) ? drawCancel(draw) : null,
    repeats: draw.chance(10) ? draw.pick([['SAME'], ['OTHER_BODY'], ['SAME', 'OTHER_BODY']]) : [],
    startDelayMs: draw.chance(3) ? HOUR_MS : draw.chance(20) ? draw.int(1, 20) * MINUTE_MS : 0,
    isWorkedTwice: draw.chance(3),
    bank: planBank(draw),
  };
}

export const isQuoted = (kind: OrderKind): boolean =>
  ['QUOTED', 'TWINS', 'EXPIRED_QUOTE', 'FOREIGN_QUOTE', 'MISMATCHED_QUOTE'].includes(kind);

export const isConverted = (kind: OrderKind): boolean =>
  isQuoted(kind) || kind === 'AUTOMATIC' || kind === 'SCHEDULED_CONVERTED';

function planQuote(draw: Draw, kind: OrderKind): QuotePlan {
  const lockFor = draw.pick(['1m', '15m', '1h'] as const);
  const waits = { '1m': [0], '15m': [0, 9 * MINUTE_MS], '1h': [0, 20 * MINUTE_MS, 50 * MINUTE_MS] };
  const waitMs = kind === 'EXPIRED_QUOTE' ? 2 * HOUR_MS : draw.pick(waits[lockFor]);
  return { fixedSide: draw.pick(['SOURCE', 'TARGET']), lockFor, waitMs };
}

/** Beside the first step, soon after, or when all is long over. */
const drawCancel = (draw: Draw): number =>
  draw.pick([0, 0, MINUTE_MS, 10 * MINUTE_MS, 5 * HOUR_MS, 2 * DAY_MS]);
