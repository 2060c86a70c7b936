import { findDecidedAlike } from '../../../db/reconciliation/booking-twin-store.ts';
import type { Database } from '../../../db/client/database.ts';
import { sayAlike } from '../../reconciliation/exceptions/say-alike.ts';
import type { ActInput } from './act-input.ts';
import { refused, type ActRefused } from './operator-act.ts';

/** The operators say that money and the line that may show the same booking both came. */
export const BOTH_CAME = {
  ...{ label: 'It may be the booking of another line', what: 'the answer', lengthMax: 3 },
  ...{ isOptional: true, choices: [{ value: 'yes', text: 'Both came' }] },
  hint: 'Only for money that may be the booking of another credit or return. Ask the bank first.',
  ...{
    option: '--both-came <yes>',
    help: 'yes: it and the credit or return that it resembles both came',
  },
} as const satisfies ActInput;

/** Refuses where a credit may be one that left suspense, and the operators do not say that both came. */
export async function refuseAlike(
  { db }: { readonly db: Database },
  creditId: string,
  bothCame: string,
): Promise<ActRefused | null> {
  if (bothCame === 'yes') return null;
  const alike = await db.system((tx) => findDecidedAlike(tx, creditId));
  return alike && refused(sayAlike(alike));
}
