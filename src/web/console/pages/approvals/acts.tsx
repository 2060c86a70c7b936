import { decideApproval } from '../../../../modules/approvals/decide-approval.ts';
import { approveProposal } from '../../../../modules/operations/approve-proposal.ts';
import { takeUpProposal } from '../../../../modules/approvals/take-up-proposal.ts';
import { withdrawApproval } from '../../../../modules/approvals/void-approval.ts';
import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { Operator } from '../../../../domain/customers/access/person.ts';
import { rolesWith } from '../../../../domain/customers/access/rights.ts';
import { APPROVAL_RIGHTS } from '../../../../domain/approvals/approval-rights.ts';
import { missingRight } from '../../../kit/page-refusal.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ActAsked, ActPage } from '../../acts/act.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { hasRight } from '../../parts/act-links.tsx';
import { ACTION_WORDS } from './approval-words.ts';
import { whatIsApproved } from './what-is-approved.ts';
import { ApprovalContent } from './content.tsx';
import { loadApproval, type ShownApproval } from './load-approval.ts';

type Verb = 'take-up' | 'approve' | 'refuse' | 'withdraw';

const SUBMIT: Readonly<Record<Verb, string>> = {
  'take-up': 'Take up',
  approve: 'Approve',
  refuse: 'Refuse',
  withdraw: 'Withdraw',
};

/** /approvals/{id}/take-up, approve, refuse and withdraw. */
export function serveApprovalActs(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    ...({ current: '/approvals', right: 'decide-approvals', actingIn: 'system' } as const),
    fields: {},
    load: (asked: ActAsked) => load(deps, asked),
  };
  serveAct(app, deps, {
    ...common,
    path: '/approvals/:id/take-up',
    page: (shown) => pageOf(shown, 'take-up'),
    async perform({ subject: { approval }, act, deps: acting }) {
      await takeUpProposal(acting, approval.id, act);
      return `/approvals/${approval.id}`;
    },
  });
  serveAct(app, deps, {
    ...common,
    path: '/approvals/:id/approve',
    page: (shown) => pageOf(shown, 'approve'),
    async perform({ subject: { approval }, act, deps: acting }) {
      await approveProposal(acting, approval.id, act);
      return `/approvals/${approval.id}`;
    },
  });
  serveAct(app, deps, {
    ...common,
    path: '/approvals/:id/refuse',
    page: (shown) => pageOf(shown, 'refuse'),
    async perform({ subject: { approval }, act, deps: acting }) {
      await decideApproval(acting, approval.id, 'REFUSED', act);
      return `/approvals/${approval.id}`;
    },
  });
  serveAct(app, deps, {
    ...common,
    path: '/approvals/:id/withdraw',
    load: (asked) => load(deps, asked, isOneOfTheTwo),
    page: (shown) => pageOf(shown, 'withdraw'),
    async perform({ subject: { approval }, act, deps: acting }) {
      await withdrawApproval(acting, approval.id, act);
      return `/approvals/${approval.id}`;
    },
  });
}

/** Who proposed or approved it takes their word back, whatever role they have by now. */
export const isOneOfTheTwo = ({ proposedBy, decidedBy }: ApprovalRow, { id }: Operator): boolean =>
  id === proposedBy || id === decidedBy;

/** The right of its action comes on top of that of the page, but for those whom `mayToo` lets. */
async function load(
  { db }: ConsoleDeps,
  { id, operator }: ActAsked,
  mayToo: (approval: ApprovalRow, operator: Operator) => boolean = () => false,
): Promise<ShownApproval> {
  const shown = await db.system((tx) => loadApproval(tx, id));
  const { approval } = shown;
  const right = APPROVAL_RIGHTS[approval.action];
  if (!hasRight(operator, right) && !mayToo(approval, operator))
    throw missingRight(rolesWith('console', right) ?? []);
  return shown;
}

const pageOf = ({ approval, warning }: ShownApproval, verb: Verb): ActPage => ({
  title: `${SUBMIT[verb]}: ${ACTION_WORDS[approval.action]}`,
  submit: SUBMIT[verb],
  words: `${SUBMIT[verb]} ${approval.id}: ${whatIsApproved(approval)}`,
  trail: { href: `/approvals/${approval.id}`, text: 'Approval', here: approval.id },
  isDangerous: verb === 'refuse' || verb === 'withdraw',
  about: <ApprovalContent approval={approval} warning={warning} />,
});
