import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { APPROVAL_RIGHTS } from '../../../domain/approvals/approval-rights.ts';
import { whatIsApproved } from '../../approvals/what-is-approved.ts';
import { decideApproval } from '../../approvals/decide-approval.ts';
import { takeUpProposal } from '../../approvals/take-up-proposal.ts';
import { withdrawApproval } from '../../approvals/void-approval.ts';
import { approveProposal } from '../approve-proposal.ts';
import { findShownApproval, type ShownApproval } from '../shown-approval.ts';
import { defineAct, type ActOutcome, type ActSubject } from './operator-act.ts';

const APPROVAL: ActSubject<ShownApproval> = {
  find: ({ db }, id) => db.system((tx) => findShownApproval(tx, id)),
  missing: (id) => `There is no proposal ${id}.`,
};

/** The right of its action comes on top of that of the page. */
const APPROVALS = {
  right: 'decide-approvals',
  decidedBy: 'ONE',
  inputs: {},
  subject: APPROVAL,
  rightFor: ({ approval }: ShownApproval) => APPROVAL_RIGHTS[approval.action],
  command: {
    none: 'Operators decide approvals in the console, or with a file key by `approvals import`.',
  },
} as const;

const wordsOf =
  (verb: string) =>
  ({ approval }: ShownApproval) =>
    `${verb} ${approval.id}: ${whatIsApproved(approval)}`;

const done = (text: string): ActOutcome => ({ kind: 'DONE', text });

/** Who proposed or approved it. */
export const isOneOfTheTwo = ({ proposedBy, decidedBy }: ApprovalRow, operator: string): boolean =>
  operator === proposedBy || operator === decidedBy;

export const TAKE_UP = defineAct({
  name: 'approvals.take-up',
  isSigned: () => true,
  ...{ title: 'Take up a proposal', submit: 'Take up' },
  summary:
    'Makes you the proposer of a change that a command or a user submitted. Another operator must then approve it.',
  ...APPROVALS,
  page: '/approvals/:id/take-up',
  words: wordsOf('Take up'),
  async run(
    deps,
    {
      subject: {
        approval: { id },
      },
      act,
    },
  ) {
    await takeUpProposal(deps, id, act);
    return done(`You are now the proposer of ${id}. Another operator must approve it.`);
  },
});

export const APPROVE = defineAct({
  name: 'approvals.approve',
  // What is approved already is only put into effect.
  isSigned: ({ approval }: ShownApproval) => approval.decision === null,
  ...{ title: 'Approve a proposal', submit: 'Approve' },
  summary: 'Approves a change that another operator proposed. The change takes effect immediately.',
  ...APPROVALS,
  page: '/approvals/:id/approve',
  words: wordsOf('Approve'),
  async run(
    deps,
    {
      subject: {
        approval: { id },
      },
      act,
    },
  ) {
    await approveProposal(deps, id, act);
    return done(`Approved: ${id}.`);
  },
});

export const REFUSE = defineAct({
  name: 'approvals.refuse',
  ...{ title: 'Refuse a proposal', submit: 'Refuse', isDangerous: true },
  summary: 'Refuses the proposal. Nothing changes.',
  ...APPROVALS,
  page: '/approvals/:id/refuse',
  words: wordsOf('Refuse'),
  async run(
    deps,
    {
      subject: {
        approval: { id },
      },
      act,
    },
  ) {
    await decideApproval(deps, id, 'REFUSED', act);
    return done(`Refused: ${id}.`);
  },
});

export const WITHDRAW = defineAct({
  name: 'approvals.withdraw',
  ...{ title: 'Withdraw an approval', submit: 'Withdraw', isDangerous: true },
  summary: 'Cancels an approval that has not taken effect.',
  ...APPROVALS,
  // The proposer and the approver may withdraw it, whatever role they have now.
  mayToo: ({ approval }, operator) => isOneOfTheTwo(approval, operator),
  page: '/approvals/:id/withdraw',
  words: wordsOf('Withdraw'),
  async run(
    deps,
    {
      subject: {
        approval: { id },
      },
      act,
    },
  ) {
    await withdrawApproval(deps, id, act);
    return done(`Withdrawn: ${id}.`);
  },
});

export const APPROVAL_ACTS = [TAKE_UP, APPROVE, REFUSE, WITHDRAW] as const;
