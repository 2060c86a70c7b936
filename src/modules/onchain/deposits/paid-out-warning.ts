import type { DepositReviewRow } from '../../../db/onchain/deposit-review-store.ts';

/** What operators must ask before any of a deposit is given to its customer; null where nothing must be asked. */
export const paidOutWarning = ({
  mayBePaidOut,
}: Pick<DepositReviewRow, 'mayBePaidOut'>): string | null =>
  mayBePaidOut
    ? 'The database was restored since: this may have been paid out before. Ask the rail for the references of its payment before any of it is credited.'
    : null;
