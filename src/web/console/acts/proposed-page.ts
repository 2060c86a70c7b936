import { PageRefusal } from '../../kit/page-refusal.ts';

/** The page of a proposal that was made. Throws PageRefusal (409) where one about the same waits already. */
export function proposedPage(proposalId: string | null): string {
  if (proposalId !== null) return `/approvals/${proposalId}`;
  throw new PageRefusal(
    409,
    'It is proposed already',
    'A proposal about the same thing waits: see Approvals. Nothing was changed.',
  );
}
