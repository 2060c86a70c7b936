import type { ApprovalRow } from '../../../db/approval-store.ts';
import { Facts } from '../../../web/parts/facts.tsx';
import { ACTION_WORDS } from './approval-words.ts';

/** Where the subject of an action is shown in the console; its id alone where it is not. */
function hrefOf({ action, subjectId }: ApprovalRow): string | null {
  switch (action) {
    case 'SCREENING_RELEASE':
      return `/reviews/${subjectId}`;
    case 'LATE_RETURN':
    case 'CONFIRM_SETTLED':
    case 'CONFIRM_FAILED':
      return `/payments/${subjectId}`;
    case 'CREDIT_ASSIGNMENT':
    case 'CREDIT_CLOSING':
      return `/reconciliation/credits/${subjectId}`;
    case 'CUSTOMER_RESUMPTION':
      return `/customers/${subjectId}`;
    case 'ADDRESS':
      return `/requests/addresses/${subjectId}`;
    case 'LIVE_ACCESS':
      return `/requests/live/${subjectId}`;
    default:
      return null;
  }
}

/** "subjectVersion" as "Subject version". */
function nameOf(key: string): string {
  const words = key.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All that an approval approves, field by field: the effect follows from it alone. */
export const ApprovalContent = ({ approval }: { readonly approval: ApprovalRow }) => {
  const href = hrefOf(approval);
  const subject = <code>{approval.subjectId}</code>;
  return (
    <Facts
      facts={[
        ['Effect', ACTION_WORDS[approval.action]],
        ['About', href === null ? subject : <a href={href}>{subject}</a>],
        ['As it is at version', String(approval.subjectVersion)],
        ...Object.entries(approval.content).map(
          ([key, value]) => [nameOf(key), [value].flat().join(', ')] as const,
        ),
        ['Reason of the proposal', approval.reason],
      ]}
    />
  );
};
