import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  findAccessRequest,
  type AccessRequestRow,
} from '../../../db/customers/access-request-store.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  approveAccessRequest,
  DECLINE_REASONS,
  declineAccessRequest,
} from '../../customers/access/decide-access-request.ts';
import { inviteFirstOwner } from '../../customers/access/invite-first-owner.ts';
import { choicesOf } from './act-input.ts';
import {
  defineAct,
  refused,
  type ActDeps,
  type ActOutcome,
  type ActRefused,
  type ActSubject,
} from './operator-act.ts';
import { ON_ITS_PAGE } from './customer-act-parts.ts';

const REQUEST: ActSubject<AccessRequestRow> = {
  find: ({ db }, id) => db.system((tx) => findAccessRequest(tx, id)),
  missing: (id) => `There is no access request ${id}.`,
};
const DECIDED_MEANWHILE =
  'Another operator decided this request, or it expired. Reload the page to see the result.';

const refuseOver = ({ status, expiresAt }: AccessRequestRow, now: Date): ActRefused | null =>
  status === 'WAITING' && expiresAt > now ? null : refused(DECIDED_MEANWHILE, 'Already decided');

const REQUESTS = {
  right: 'decide-requests',
  decidedBy: 'ONE',
  subject: REQUEST,
  command: ON_ITS_PAGE,
  isReasonAsked: false,
} as const;

/** What counts is asked again under the row's lock. */
async function decideRequest(
  deps: ActDeps,
  requestId: string,
  work: (tx: SystemTransaction) => Promise<string | null>,
): Promise<ActOutcome> {
  const mailId = await deps.db.system(async (tx) => {
    const written = await work(tx);
    if (written === null) throw new ApprovalRefused(DECIDED_MEANWHILE);
    return written;
  });
  deps.dispatchMail(mailId);
  return {
    kind: 'DONE',
    text: `Decided: ${requestId}.`,
    // Where Temporal does not take it, the reconciler finds that something is due.
    async after() {
      await deps.workflows.wakeOnboarding({ requestId }, requestId);
      return '';
    },
  };
}

export const APPROVE_REQUEST = defineAct({
  name: 'requests.approve',
  ...{ title: 'Approve an access request', submit: 'Approve', inputs: {} },
  summary: 'Creates the customer and emails an invitation to its first owner.',
  ...REQUESTS,
  page: '/requests/:id/approve',
  words: ({ id }) => `Approve access request ${id}`,
  refusal: (row, { now }) => refuseOver(row, now),
  run: (deps, { subject: { id: requestId }, act: { operator: operatorId } }) =>
    decideRequest(deps, requestId, (tx) =>
      approveAccessRequest(deps, tx, { requestId, operatorId }),
    ),
});

export const DECLINE_REQUEST = defineAct({
  name: 'requests.decline',
  ...{ title: 'Decline an access request', submit: 'Decline', isDangerous: true },
  summary: 'Declines the request and emails the person who made it.',
  ...REQUESTS,
  inputs: {
    reason: {
      ...{ label: 'Reason', what: 'a reason', lengthMax: 20 },
      ...{
        choices: choicesOf(DECLINE_REASONS),
        option: '--reason <name>',
        help: 'why you decline',
      },
    },
  },
  page: '/requests/:id/decline',
  words: ({ id }) => `Decline access request ${id}`,
  refusal: (row, { now }) => refuseOver(row, now),
  run(deps, { subject: { id: requestId }, values, act: { operator: operatorId } }) {
    const reason = DECLINE_REASONS.find((one) => one === values.reason) ?? 'OTHER';
    return decideRequest(deps, requestId, (tx) =>
      declineAccessRequest(deps, tx, { requestId, operatorId, reason }),
    );
  },
});

export const INVITE_AGAIN = defineAct({
  name: 'requests.invite',
  ...{ title: 'Resend the invitation', submit: 'Send', inputs: {} },
  summary: 'Emails a new invitation link to the first owner of an approved request.',
  ...REQUESTS,
  page: '/requests/:id/invite',
  words: ({ id }) => `Resend the invitation of access request ${id}`,
  run: (deps, { subject: { id: requestId }, act: { operator: operatorId } }) =>
    decideRequest(deps, requestId, (tx) => inviteFirstOwner(deps, tx, { requestId, operatorId })),
});

export const ACCESS_REQUEST_ACTS = [APPROVE_REQUEST, DECLINE_REQUEST, INVITE_AGAIN] as const;
