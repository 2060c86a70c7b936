import { Type, type Static } from 'typebox';
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

/** The schedule that the file says. It has been checked. */
export function feeSchedule({ file }: Static<typeof FEES>): FeeSchedule {
  const read = file === undefined ? null : readFeesFile(file);
  return createFeeSchedule(read?.ok === true ? read.rows : []);
}
