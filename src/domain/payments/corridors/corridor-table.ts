import { groupBy } from '../../group-by.ts';
import type { Environment } from '../../scope.ts';
import type { Corridor } from './corridor.ts';
import { applyOverrides } from './overrides.ts';
import type { CorridorOverride } from './overrides.ts';
import {
  DEFAULT_RETURN_WINDOWS,
  windowEnd,
  windowsOf,
  type ReturnWindow,
  type ReturnWindows,
} from './return-window.ts';
import { createRestrictions, DEFAULT_RESTRICTIONS } from './restrictions.ts';
import type { Restrictions, RestrictionSettings } from './restrictions.ts';
import { corridorsOf } from './scheme.ts';
import { AFRICA_MIDDLE_EAST } from './schemes/africa-middle-east.ts';
import { AMERICAS } from './schemes/americas.ts';
import { ASIA_PACIFIC } from './schemes/asia-pacific.ts';
import { EUROPE } from './schemes/europe.ts';
import { SWIFT } from './schemes/swift.ts';

/** Where money can go, and how: what an installation serves, its operator's file included. */
export interface CorridorTable {
  /** Every corridor, suspended ones included: by country, then currency, the default rail first. */
  readonly all: readonly Corridor[];
  readonly restrictions: Restrictions;
  /** The corridors to a country in a currency; the first is the default. Empty where there is none. */
  to(country: string, currency: string): readonly Corridor[];
  /** The one corridor over a given rail, or undefined. */
  find(country: string, currency: string, rail: string): Corridor | undefined;
  /** Whether payments may leave over it now: it is there, ACTIVE, and its country is not restricted. */
  isOpen(country: string, currency: string, rail: string): boolean;
  /**
   * Whether money that comes back over a rail may be less than what was sent, so that only the bank's
   * statement, or an amount that the bank tells, can be credited. A rail of no corridor counts as such.
   */
  returnsMayBeDeducted(rail: string, currency: string): boolean;
  /** Until when a payment that settles at a moment may come back: the longest of its rail's windows. */
  returnWindowEnd(payment: ReturningPayment, settledAt: Date): Date;
}

/** What is known of a payment that may come back. */
interface ReturningPayment {
  readonly environment: Environment;
  readonly rail: string;
  readonly currency: string;
}

/** Local rails come before SWIFT. Limits are the schemes' own, not a price list. */
const SHIPPED: readonly Corridor[] = [
  ...EUROPE,
  ...AMERICAS,
  ...ASIA_PACIFIC,
  ...AFRICA_MIDDLE_EAST,
  ...SWIFT,
].flatMap(corridorsOf);

export interface CorridorSettings {
  readonly overrides?: readonly CorridorOverride[];
  readonly restrictions?: RestrictionSettings;
  readonly returnWindows?: ReturnWindows;
}

/** The table as shipped, changed by what the operator's files say. */
export function createCorridorTable({
  overrides = [],
  restrictions = DEFAULT_RESTRICTIONS,
  returnWindows = DEFAULT_RETURN_WINDOWS,
}: CorridorSettings = {}): CorridorTable {
  const restricted = createRestrictions(restrictions);
  // The sort keeps the order of rails within a country and currency.
  const all = applyOverrides(SHIPPED, overrides)
    .map((way) => (restricted.isRestricted(way.country) ? suspended(way) : way))
    .sort((a, b) => compare(pairOf(a), pairOf(b)));
  const byPair = groupBy(all, pairOf);
  const byKey = new Map(all.map((way) => [`${pairOf(way)}/${way.rail}`, way]));
  const byRail = groupBy(all, ({ rail, currency }) => `${rail}/${currency}`);
  const windows = new Map<string, readonly ReturnWindow[]>();
  const windowsAt = (rail: string): readonly ReturnWindow[] => {
    const known =
      windows.get(rail) ?? windowsOf(byRail.get(rail) ?? [], returnWindows.liveDefaultDays);
    if (byRail.has(rail)) windows.set(rail, known);
    return known;
  };
  const find = (country: string, currency: string, rail: string) =>
    byKey.get(`${country}/${currency}/${rail}`);
  return {
    all,
    restrictions: restricted,
    to: (country, currency) => byPair.get(`${country}/${currency}`) ?? [],
    find,
    isOpen: (...key) => find(...key)?.status === 'ACTIVE',
    returnsMayBeDeducted: (rail, currency) =>
      byRail.get(`${rail}/${currency}`)?.some((way) => way.returnsMayBeDeducted) ?? true,
    returnWindowEnd: ({ environment, rail, currency }, settledAt) =>
      environment === 'test'
        ? new Date(settledAt.getTime() + returnWindows.testMs)
        : windowEnd(windowsAt(`${rail}/${currency}`), settledAt),
  };
}

const suspended = (way: Corridor): Corridor => ({ ...way, status: 'SUSPENDED' });

const pairOf = ({ country, currency }: Pick<Corridor, 'country' | 'currency'>): string =>
  `${country}/${currency}`;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
