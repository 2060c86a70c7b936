import { formatRate, parseRate } from '../fx/rate.ts';

const WHOLE_BPS = 10_000;

/**
 * The rate that a customer gets: the mid-market rate less the markup, rounded down at the last digit
 * that is written. Throws RangeError for a mid-market rate that is none.
 */
export function customerRate(midMarketRate: string, markupBps: number): string {
  const rate = parseRate(midMarketRate);
  if (rate === null) throw new RangeError('not a mid-market rate');
  if (markupBps === 0) return midMarketRate;
  return formatRate(rate.times(String(WHOLE_BPS - markupBps)).div(String(WHOLE_BPS)), 'down');
}
