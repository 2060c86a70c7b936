import { DESTINATIONS, type Destination } from './currencies.ts';
import { drawFrom } from './draw.ts';
import type { Span } from './order-plan.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** What a payer wrote into the remittance text. */
const TEXTS = {
  REFERENCE: 60,
  /** In blanks and small letters, between other words. */
  BURIED: 15,
  MISTYPED: 10,
  NOTHING: 10,
  /** The same customer's reference for another currency. */
  OF_ANOTHER_CURRENCY: 5,
} as const;

/** Money that a person or company sends for a customer. */
export interface DepositPlan {
  readonly number: number;
  readonly atMs: number;
  readonly payer: number;
  readonly to: Destination;
  readonly other: Destination;
  readonly minor: bigint;
  readonly text: keyof typeof TEXTS;
  /** Its line is on the next day's statement once more. */
  readonly isBookedTwice: boolean;
}

/** One deposit for every ten orders. */
export function planDeposits(seed: number, { orders, days, payers }: Span): DepositPlan[] {
  return Array.from({ length: Math.ceil(orders / 10) }, (_none, number) => {
    const draw = drawFrom(seed, number, 7);
    const to = draw.pick(DESTINATIONS);
    return {
      ...{ number, to, other: draw.pick(DESTINATIONS.filter((one) => one !== to)) },
      atMs: draw.int(0, days - 1) * DAY_MS + draw.int(1, 1_400) * MINUTE_MS,
      payer: draw.int(0, payers - 1),
      minor: BigInt(draw.int(1, 5_000)) * 10n ** BigInt(to.decimals) + BigInt(draw.int(0, 999)),
      text: draw.weighted(TEXTS),
      isBookedTwice: draw.chance(20),
    };
  });
}

/** The text of a deposit; `referenceOf` gives the customer's reference for a currency. */
export function remittanceOf(
  { text, to, other, number }: DepositPlan,
  referenceOf: (currency: string) => string,
): string {
  const reference = referenceOf(to.currency);
  switch (text) {
    case 'REFERENCE':
      return reference;
    case 'BURIED':
      return `inv. ${String(number)} ${reference.toLowerCase().replace(/(.{4})/g, '$1 ')}thanks`;
    case 'MISTYPED':
      return reference.slice(0, -1) + (reference.endsWith('7') ? '8' : '7');
    case 'NOTHING':
      return `Invoice ${String(number)}`;
    case 'OF_ANOTHER_CURRENCY':
      return referenceOf(other.currency);
  }
}

/** Whether the engine can know whose it is. */
export const isKnown = ({ text }: DepositPlan): boolean =>
  text === 'REFERENCE' || text === 'BURIED';
