import type { Database } from '../../src/db/client/database.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { ScreeningProvider } from '../../src/domain/parties/screening/screening-provider.ts';
import { ENVIRONMENTS } from '../../src/domain/scope.ts';
import { createFileScreening } from '../../src/adapters/screening/file-screening.ts';
import { SHIPPED_LIST } from '../../src/adapters/screening/shipped-list.ts';
import { lookAtList } from '../../src/modules/parties/screening/look-at-list.ts';
import { createScreener, type Screener } from '../../src/modules/parties/screening/screener.ts';
import type { Vault } from '../../src/vault/vault.ts';

export const THRESHOLD_PERCENT = 88;

/** Screening with the sandbox's list, as a process without settings has it. */
export function createTestScreener(deps: {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}): { readonly screener: Screener; readonly provider: ScreeningProvider } {
  const provider = createFileScreening({
    path: SHIPPED_LIST,
    thresholdPercent: THRESHOLD_PERCENT,
    clock: deps.clock,
    onUnusable: () => undefined,
  });
  const screener = createScreener({
    ...deps,
    providers: { test: provider, live: provider },
    onCase: () => undefined,
  });
  return { screener, provider };
}

/** What a worker does when it begins: the list is put in force in both environments. */
export async function putTestListInForce(
  deps: { readonly db: Database; readonly clock: Clock },
  provider: ScreeningProvider,
): Promise<void> {
  for (const environment of ENVIRONMENTS) await lookAtList(deps, provider, environment);
}

/** A claim that takes all who were looked up, however long ago. */
export const EVER: Pick<Screener, 'screenedSince'> = { screenedSince: () => new Date(0) };
