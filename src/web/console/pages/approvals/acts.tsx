import type { ShownApproval } from '../../../../modules/operations/shown-approval.ts';
import {
  APPROVE,
  REFUSE,
  TAKE_UP,
  WITHDRAW,
} from '../../../../modules/operations/acts/approval-acts.ts';
import { actPage, type ActPage } from '../../acts/act-page.tsx';
import { ApprovalContent } from './content.tsx';

const APPROVAL = {
  current: '/approvals',
  trail: ({ approval: { id } }: ShownApproval) => ({
    ...{ href: `/approvals/${id}`, text: 'Approval', here: id },
  }),
  facts: ({ approval, warning, items }: ShownApproval) => (
    <ApprovalContent {...{ approval, warning, items }} />
  ),
};

export const APPROVAL_ACT_PAGES: readonly ActPage[] = [TAKE_UP, APPROVE, REFUSE, WITHDRAW].map(
  (entry) => actPage(entry, APPROVAL),
);
