import { proxyActivities } from '@temporalio/workflow';
import type { FxActivities } from '../activities/types.ts';
import { FX_REFRESH } from './options.ts';

const { refreshRates } = proxyActivities<FxActivities>(FX_REFRESH);

/** Fetches the exchange rates of every configured source into the database. */
export async function fxRefresh(): Promise<void> {
  await refreshRates();
}
