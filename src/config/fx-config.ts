import { isCurrency } from '../domain/money/currencies.ts';
import type { Variables } from './variables.ts';

export interface FxConfig {
  /** `snapshot` ships with the program and is always stale; `ecb` fetches the daily rates. */
  readonly source: 'snapshot' | 'ecb';
  /** Another address of the ECB's daily XML, as a mirror of one's own. */
  readonly ecbUrl: string | undefined;
  readonly baseCurrency: string;
  /** Milliseconds after which a rate is marked stale. */
  readonly rateMaxAgeMs: number;
}

// The ECB quotes on working days only: four days reach over a weekend and one holiday.
const RATE_MAX_AGE_MS = 4 * 24 * 60 * 60 * 1000;

/** Reads where rates come from and how long they hold. */
export function readFxConfig(variables: Variables): FxConfig {
  const baseCurrency = variables.text('FX_BASE', 'USD');
  if (!isCurrency(baseCurrency)) variables.problem('FX_BASE must be an ISO 4217 currency code');
  return {
    source: variables.choice('FX_SOURCE', ['snapshot', 'ecb'], 'snapshot'),
    ecbUrl: variables.url('ECB_URL'),
    baseCurrency,
    rateMaxAgeMs: variables.integer('FX_RATE_MAX_AGE_MS', RATE_MAX_AGE_MS, [1, 31_536_000_000]),
  };
}
