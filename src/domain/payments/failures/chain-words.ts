import { reasonTable } from './reason-table.ts';

/** What the rail of a network says of a transfer that was not made. */
export const CHAIN_WORDS = reasonTable({
  transfer_voided: 'VOIDED',
  transfer_reverted: 'REVERTED',
});
