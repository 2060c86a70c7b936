import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import {
  readSetItems,
  type SetItem,
} from '../../../../modules/reconciliation/exceptions/exception-set.ts';
import type { ShownApproval } from '../../../../modules/operations/shown-approval.ts';
import { Table } from '../../../kit/parts/table.tsx';
import { exceptionHref } from '../reconciliation/exceptions/exception-href.ts';

/** Each exception of a set, what its act does, and what became of it. */
export const SetTable = ({ approval, items }: Pick<ShownApproval, 'approval' | 'items'>) => (
  <Table
    label="Exceptions of the set"
    rows={readSetItems(approval)}
    keyOf={({ exceptionId }) => exceptionId}
    hrefOf={({ exceptionId }) => exceptionHref(exceptionId)}
    columns={[
      { title: 'Exception', cell: ({ exceptionId }) => <code>{exceptionId}</code> },
      { title: 'Act', cell: ({ content }) => String(content['act']) },
      { title: 'Account', cell: ({ content }) => String(content['account'] ?? '–') },
      { ...{ title: 'Amount', isNumber: true }, cell: ({ content }) => amountOf(content) },
      { title: 'Payment', cell: ({ content }) => String(content['paymentId'] ?? '–') },
      { title: 'Rule', cell: ({ content }) => String(content['rule']) },
      { title: 'Version', isMuted: true, cell: ({ version }) => String(version) },
      { title: 'Outcome', cell: (item) => outcomeOf(item, approval, items) },
    ]}
  />
);

/** Negative left the bank. */
const amountOf = ({ open, currency = '' }: SetItem['content']): string =>
  open === undefined ? '–' : `${formatAmount(BigInt(open), String(currency))} ${String(currency)}`;

function outcomeOf(
  { exceptionId }: SetItem,
  { usedAt }: ApprovalRow,
  items: ShownApproval['items'],
): string {
  const own = items.find(({ subjectId }) => subjectId === exceptionId);
  if (own === undefined) return usedAt === null ? 'Not yet' : 'Skipped: it had changed';
  if (own.usedAt !== null) return 'Ended';
  return own.voidReason === null ? 'Not yet' : `Skipped: ${own.voidReason}`;
}
