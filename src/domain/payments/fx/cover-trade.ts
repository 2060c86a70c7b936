import type { LedgerLine, Money } from '../../ledger/movements.ts';
import { isNetwork } from '../../onchain/network.ts';
import { formatAmount } from '../../money/amount.ts';
import { isStablecoin } from '../../money/currencies.ts';

/** One side of a trade, and the rail over which it left or reached our account. */
export interface TradedMoney extends Money {
  readonly rail: string;
}

/** A trade that operators made at a bank against our position. */
export interface CoverTrade {
  /** The bank's own number of it. */
  readonly reference: string;
  readonly sold: TradedMoney;
  readonly bought: TradedMoney;
}

/** Does money of that code come and go over the rail: an asset over a network, a currency over no network? */
export const isTradedOver = (code: string, rail: string): boolean =>
  isStablecoin(code) === isNetwork(rail);

/** Letters, digits and a few signs: what a bank numbers with, and what names no person. */
export const isTradeReference = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9./_-]{0,63}$/.test(text);

/** What was sold leaves our account and our position, what was bought comes into both. */
export function coverLines({ sold, bought }: CoverTrade): readonly LedgerLine[] {
  return [
    { account: 'fx', currency: sold.currency, minor: -sold.minor },
    { account: `nostro:${sold.rail}`, currency: sold.currency, minor: sold.minor },
    { account: `nostro:${bought.rail}`, currency: bought.currency, minor: -bought.minor },
    { account: 'fx', currency: bought.currency, minor: bought.minor },
  ];
}

/** A trade is recorded once and stays as it is. */
export const COVER_TRADE_VERSION = 1;

/** One side in words for operators: "1250.00 EUR SEPA". */
export const tradedText = ({ minor, currency, rail }: TradedMoney): string =>
  `${formatAmount(minor, currency)} ${currency} ${rail}`;
