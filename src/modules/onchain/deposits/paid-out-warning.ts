import type { DepositReviewRow } from '../../../db/onchain/deposit-review-store.ts';

/** What operators must ask before any of a deposit is given to its customer; null where nothing must be asked. */
export const paidOutWarning = ({
  mayBePaidOut,
}: Pick<DepositReviewRow, 'mayBePaidOut'>): string | null =>
  mayBePaidOut
    ? 'The database was restored after this deposit, so it may already have been paid out. Before you credit any of it, ask the rail for the references of its payment.'
    : null;
