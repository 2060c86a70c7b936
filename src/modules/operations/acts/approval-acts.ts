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
  command: { none: 'Two operators who are logged in decide.' },
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
  ...{ title: 'Take a proposal up', submit: 'Take up' },
  summary: 'Propose what a command or a user has handed in. Another operator approves it then.',
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
    return done(`Taken up: ${id}.`);
  },
});

export const APPROVE = defineAct({
  name: 'approvals.approve',
  ...{ title: 'Approve a proposal', submit: 'Approve' },
  summary: 'Approve what another operator has proposed. It takes effect at once.',
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
  summary: 'Refuse a proposal. Nothing of it takes effect.',
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
  summary: 'Make an approval void that has not taken effect.',
  ...APPROVALS,
  // Who proposed or approved it takes their word back, whatever role they have by now.
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
