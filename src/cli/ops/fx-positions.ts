import { readRates } from '../../db/payments/fx-rate-store.ts';
import { readFxExposure } from '../../db/ledger/fx-position-store.ts';
import { netOpenPosition, valueInBase } from '../../domain/payments/fx/open-position.ts';
import { quoteTable } from '../../domain/payments/fx/quote-table.ts';
import type { Rate } from '../../domain/payments/fx/rate.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { minorDigits } from '../../domain/money/currencies.ts';
import type { Environment } from '../../domain/scope.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** Prints what we are exposed to in every currency that is open, and what all of it comes to. */
export async function showFxPositions(deps: OpsDeps, environment: Environment): Promise<number> {
  const at = deps.clock.now();
  const { rows, legs } = await deps.db.system(async (tx) => ({
    rows: await readFxExposure(tx, environment, at),
    legs: await readRates(tx),
  }));
  if (rows.length === 0) {
    deps.print(`There is no open position in ${environment}.`);
    return 0;
  }
  const { baseCurrency: base, rateMaxAgeMs: maxAgeMs } = deps.fx;
  const rates = new Map(
    quoteTable(legs, { base, at, maxAgeMs }).rows.map(({ quote, rate }) => [quote, rate]),
  );
  const rateOf = (currency: string) => (currency === base ? '1' : (rates.get(currency) ?? null));
  const inBase = (value: Rate | null): string =>
    value === null ? 'no rate' : value.toFixed(minorDigits(base));
  const parts = rows.map(({ currency, settled, ...open }) => {
    const held = open.heldLong + open.heldShort;
    const quoted = open.quotedLong + open.quotedShort;
    return { currency, settled, held, quoted, minor: settled + held + quoted };
  });
  deps.print(
    table(
      ['currency', 'settled', 'payments', 'quotes', 'position', `size in ${base}`],
      parts.map(({ currency, settled, held, quoted, minor }) => {
        const amounts = [settled, held, quoted, minor].map((one) => formatAmount(one, currency));
        return [currency, ...amounts, inBase(valueInBase({ currency, minor }, rateOf(currency)))];
      }),
    ),
  );
  deps.print(`Open position in ${base}: ${inBase(netOpenPosition(parts, base, rateOf))}`);
  return 0;
}
