import { Type, type Static } from 'typebox';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { createFeeSchedule, type FeeSchedule } from '../../domain/payments/fees/fee-schedule.ts';
import { readFeesFile } from './fees-file.ts';
import type { Report } from './settings.ts';
import { jsonFile } from './setting-types.ts';

/** What payments in one currency, and quotes with an asset in them, cost. Read by the API. */
export const FEES = Type.Object({
  file: Type.Optional(
    jsonFile(
      'FEES_FILE',
      'The fees of payments in one currency and of quotes with an asset: [FX and quotes](fx-and-quotes.md). Without it, there is no fee.',
    ),
  ),
});

/** Reports every value of the file that cannot be used, by row and field. */
export function checkFees({ file }: Static<typeof FEES>, report: Report): void {
  const read = file === undefined ? null : readFeesFile(file);
  if (read?.ok !== false) return;
  for (const line of read.lines) report(['FEES_FILE'], `FEES_FILE: ${line}`);
}

/**
 * Reports each asset that live pays over a network without a row of NETWORK: gas would be free, and anyone could use it
 * up. A row of zero says that it is meant.
 */
export function checkNetworkFees(
  { file }: Static<typeof FEES>,
  live: readonly Pick<NetworkSetup, 'network' | 'assets'>[],
  report: Report,
): void {
  const read = file === undefined ? null : readFeesFile(file);
  const rows = read?.ok === true ? read.rows : [];
  for (const { network, assets } of live) {
    for (const { asset } of assets) {
      const isCharged = rows.some(
        ({ type, rail, currency, environment }) =>
          type === 'NETWORK' && rail === network && currency === asset && environment !== 'test',
      );
      if (isCharged) continue;
      report(
        ['FEES_FILE'],
        `FEES_FILE must have a row of type NETWORK for ${asset} on ${network}: live pays its gas`,
      );
    }
  }
}

/** The schedule that the file says. It has been checked. */
export function feeSchedule({ file }: Static<typeof FEES>): FeeSchedule {
  const read = file === undefined ? null : readFeesFile(file);
  return createFeeSchedule(read?.ok === true ? read.rows : []);
}
