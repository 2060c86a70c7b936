import { exampleDetails } from '../../src/domain/parties/bank-accounts/details-schema.ts';
import { RAIL_FIELDS } from '../../src/domain/parties/bank-accounts/rail-fields.ts';
import type { CorridorKey } from '../../src/domain/payments/corridors/corridor.ts';

/** A body of POST /bank-accounts for a corridor, with the examples of its rail's fields. */
export function exampleAccount(
  { country, currency, rail }: CorridorKey,
  endUserId: string,
): Record<string, unknown> {
  return {
    ...{ endUserId, country, currency, rail },
    ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
    holderAddress: { line1: '1 Sample Street', city: 'Sampleton', country },
    details: exampleDetails(RAIL_FIELDS[rail]({ country, holderType: 'INDIVIDUAL' })),
  };
}
