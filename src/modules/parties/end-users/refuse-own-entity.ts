import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';

/** Refuses with operators_only what a customer may not do to the end-user that is itself. */
export function refuseOwnEntity({ relationship }: Pick<EndUserRow, 'relationship'>): void {
  if (relationship !== 'SELF') return;
  const message =
    'The end-user is your own company. Only the operators of the service can change it.';
  throw new Refusal('operators_only', message);
}
