import { ACTION_WORDS } from '../../../../modules/approvals/action-words.ts';
import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import { Facts } from '../../../kit/parts/facts.tsx';
import { linkTo } from '../../../kit/list-pages.ts';
import { exceptionHref, EXCEPTIONS_PATH } from '../reconciliation/exceptions/exception-href.ts';
import { SetTable } from './set-table.tsx';
import { Warning } from '../../parts/warning.tsx';
import type { ShownApproval } from '../../../../modules/operations/shown-approval.ts';

/** Where the subject of an action is shown in the console; its id alone where it is not. */
function hrefOf({ action, subjectId, content }: ApprovalRow): string | null {
  switch (action) {
    case 'EXCEPTION_ACT':
      return exceptionHref(subjectId);
    case 'EXCEPTION_SET':
      return linkTo(EXCEPTIONS_PATH, { kind: subjectId.split('/')[1] ?? '' });
    case 'EXCEPTION_REVERSAL':
      return exceptionHref(String(content['exceptionId']));
    case 'SCREENING_RELEASE':
      return `/reviews/${subjectId}`;
    case 'WALLET_RELEASE':
      return `/reviews/wallets/${subjectId}`;
    case 'DEPOSIT_CLEARANCE':
    case 'BLOCKED_DEPOSIT':
      return `/reviews/deposits/${subjectId}`;
    case 'LATE_RETURN':
    case 'CONFIRM_SETTLED':
    case 'CONFIRM_FAILED':
    case 'FOREIGN_PAYMENT':
      return `/payments/${subjectId}`;
    case 'CREDIT_ASSIGNMENT':
    case 'CREDIT_CLOSING':
      return `/reconciliation/credits/${subjectId}`;
    case 'STATEMENT_SUMS':
      return `/statements/${subjectId.split('/')[0] ?? ''}`;
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

const NAMES: Readonly<Record<string, string>> = { bankSaid: 'Last answer of the bank' };

/** "kycCheckId" as "KYC check ID". */
function nameOf(key: string): string {
  const words = key
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/\b(id|kyc)\b/g, (word) => word.toUpperCase());
  return NAMES[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** All that an approval approves, field by field: the effect follows from it alone. */
export const ApprovalContent = ({ approval, warning, items }: ShownApproval) => {
  const isSet = approval.action === 'EXCEPTION_SET';
  const href = hrefOf(approval);
  const subject = <code>{approval.subjectId}</code>;
  return (
    <>
      <Warning text={warning} />
      <Facts
        facts={[
          ['Effect', ACTION_WORDS[approval.action]],
          ['About', href === null ? subject : <a href={href}>{subject}</a>],
          ['Version', String(approval.subjectVersion)],
          ...Object.entries(approval.content)
            .filter(([key]) => !isSet || key !== 'items')
            .map(([key, value]) => [nameOf(key), [value].flat().join(', ')] as const),
          ['Reason given', approval.reason],
        ]}
      />
      {isSet ? <SetTable {...{ approval, items }} /> : null}
    </>
  );
};
