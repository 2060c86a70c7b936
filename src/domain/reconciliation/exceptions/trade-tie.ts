import type { Money } from '../../ledger/movements.ts';
import { formatAmount, parseAmount } from '../../money/amount.ts';
import { isNetwork } from '../../onchain/network.ts';
import { tradedText, type CoverTrade, type TradedMoney } from '../../payments/fx/cover-trade.ts';
import { CHARGE_LIMITS } from './exception-rules.ts';

/** What of a trade one line of a statement shows: one of its sides, or what the bank charged for it beside that. */
export type TradeSide = 'SOLD' | 'BOUGHT' | 'SOLD_CHARGE' | 'BOUGHT_CHARGE';

/** A line of a statement: `minor` is positive. */
export interface TradedLine extends Money {
  readonly direction: 'CRDT' | 'DBIT';
}

/** How a line shows a trade. */
export interface TradeTie {
  readonly side: TradeSide;
  /** The account of that side in the books. */
  readonly at: `nostro:${string}`;
  /** What the bank kept or took beyond the trade, minor units of the line's currency: never negative. */
  readonly charged: bigint;
}

/** Of the amount of a side, in a currency that is not listed: 0.5 %. */
const CHARGE_LIMIT_PER_MILLE = 5n;

/** The most that a line may differ from a side of a trade, and that a charge beside it may be: minor units. */
function chargeLimitOf({ currency, minor }: Money): bigint {
  const listed = CHARGE_LIMITS[currency]?.each;
  const read = listed === undefined ? null : parseAmount(listed, currency);
  return read?.ok === true ? read.minor : (minor * CHARGE_LIMIT_PER_MILLE) / 1000n;
}

/**
 * What of a trade a line shows: a credit of what was bought or a little less, a debit of what was sold or a little more, or a
 * small debit beside them. Otherwise in a sentence why it shows none.
 */
export function tieOf(trade: CoverTrade, line: TradedLine): TradeTie | string {
  const { sold, bought } = trade;
  if (line.currency !== sold.currency && line.currency !== bought.currency) {
    return `${nameOf(trade)} The line is in ${line.currency}.`;
  }
  const side = line.currency === sold.currency ? sold : bought;
  if (isNetwork(side.rail)) return `${nameOf(trade)} No bank shows what moves over a network.`;
  if (line.minor <= 0n) return 'The line has no amount.';
  if (line.direction === 'CRDT') return side === bought ? tieCredit(trade, line) : refuse(trade);
  return tieDebit(trade, side, line);
}

function tieCredit(trade: CoverTrade, { minor }: TradedLine): TradeTie | string {
  const { bought } = trade;
  const charged = bought.minor - minor;
  if (charged < 0n) return `${nameOf(trade)} The line brings more than was bought.`;
  if (charged > chargeLimitOf(bought)) return `${nameOf(trade)} ${overLimit('less', bought)}`;
  return { side: 'BOUGHT', at: `nostro:${bought.rail}`, charged };
}

function tieDebit(trade: CoverTrade, side: TradedMoney, { minor }: TradedLine): TradeTie | string {
  const isSold = side === trade.sold;
  const limit = chargeLimitOf(side);
  const at = `nostro:${side.rail}` as const;
  if (isSold && minor >= side.minor) {
    const charged = minor - side.minor;
    return charged > limit
      ? `${nameOf(trade)} ${overLimit('more', side)}`
      : { side: 'SOLD', at, charged };
  }
  if (minor <= limit) return { side: isSold ? 'SOLD_CHARGE' : 'BOUGHT_CHARGE', at, charged: minor };
  if (!isSold) return refuse(trade);
  return `${nameOf(trade)} The line takes less than was sold, and more than a charge.`;
}

const nameOf = ({ reference, sold, bought }: CoverTrade): string =>
  `Trade ${reference} sold ${tradedText(sold)} for ${tradedText(bought)}.`;

const refuse = (trade: CoverTrade): string =>
  `${nameOf(trade)} The line moves money in the other direction.`;

const overLimit = (than: 'less' | 'more', side: TradedMoney): string =>
  `The line has ${than} by over ${formatAmount(chargeLimitOf(side), side.currency)} ${side.currency}, the most that counts as charges.`;
