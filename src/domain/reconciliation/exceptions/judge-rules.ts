import type { Money } from '../../ledger/movements.ts';
import { parseAmount } from '../../money/amount.ts';
import type { ExceptionRule, RuleCondition } from './exception-rules.ts';

/** What rules look at. */
export interface RuleFacts {
  readonly exception: string;
  readonly direction: 'CRDT' | 'DBIT' | null;
  /** What an act has to book: positive came in, negative left. Null: nothing. */
  readonly open: Money | null;
  readonly isInSuspense: boolean;
  /** The payment left, and its balance and its beneficiary have the currency of the line. */
  readonly isOfOneCurrency: boolean;
  /** What of the payment may still be credited, minor units of the line's currency. */
  readonly creditable: bigint;
  /** Another line may be the same booking, or its correction. */
  readonly hasTwin: boolean;
  readonly isGapFilled: boolean;
  /** The line bears the reference of a cover trade, and can be tied to it. */
  readonly namesTrade: boolean;
}

/** The first rule that fits; null where none does. What is over the limit of one exception does not fit. */
export function ruleFor(rules: readonly ExceptionRule[], facts: RuleFacts): ExceptionRule | null {
  return rules.find((rule) => fits(rule, facts)) ?? null;
}

function fits(rule: ExceptionRule, facts: RuleFacts): boolean {
  return (
    rule.kind === facts.exception &&
    rule.when.every((condition) => HOLDS[condition](facts)) &&
    isWithin(rule, facts.open)
  );
}

const HOLDS: Readonly<Record<RuleCondition, (facts: RuleFacts) => boolean>> = {
  IS_DEBIT: ({ direction }) => direction === 'DBIT',
  IS_CREDIT: ({ direction }) => direction === 'CRDT',
  IN_SUSPENSE: ({ isInSuspense }) => isInSuspense,
  MORE_LEFT: ({ open }) => open !== null && open.minor < 0n,
  MORE_CAME: ({ open }) => open !== null && open.minor > 0n,
  SAME_CURRENCY: ({ isOfOneCurrency }) => isOfOneCurrency,
  NO_TWIN: ({ hasTwin }) => !hasTwin,
  CREDITABLE: ({ open, creditable }) => open !== null && open.minor <= creditable,
  GAP_FILLED: ({ isGapFilled }) => isGapFilled,
  NAMES_TRADE: ({ namesTrade }) => namesTrade,
};

function isWithin({ limits }: ExceptionRule, open: Money | null): boolean {
  if (limits === null) return open === null;
  return (
    open !== null && sizeOf(open) <= (limitOf(limits[open.currency]?.each, open.currency) ?? -1n)
  );
}

export const sizeOf = ({ minor }: Money): bigint => (minor < 0n ? -minor : minor);

/** The most that a rule suggests in a day, minor units; null where it has no limit, for it moves no money. */
export const dayLimitOf = ({ limits }: ExceptionRule, currency: string): bigint | null =>
  limits === null ? null : (limitOf(limits[currency]?.day, currency) ?? 0n);

/** Null where there is none, or it is no amount of the currency. */
function limitOf(text: string | undefined, currency: string): bigint | null {
  const read = text === undefined ? null : parseAmount(text, currency);
  return read?.ok === true ? read.minor : null;
}
