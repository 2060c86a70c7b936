import { findCustomer } from '../../../db/customers/customer-status-store.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { proposeLiveAccess } from '../../customers/live/grant-live-access.ts';
import {
  findLiveRequestShown,
  type LiveRequestShown,
} from '../../customers/live/live-request-shown.ts';
import { declineLiveAccess, withdrawLiveAccess } from '../../customers/live/narrow-live-access.ts';
import { defineAct, proposed, refused, type ActSubject } from './operator-act.ts';
import { LOGGED_IN, mailing, ON_ITS_PAGE } from './customer-act-parts.ts';

const READ_BY_CUSTOMER = 'The customer sees it. Do not name a person.';
const LIVE = { right: 'decide-live-access', inputs: {} } as const;

export const WITHDRAW_LIVE_ACCESS = defineAct({
  name: 'live-access.withdraw',
  ...{ title: 'Withdraw live access', submit: 'Withdraw', isDangerous: true },
  summary:
    'Refuses all live keys of the customer immediately. Accepted payments continue. To hold them too, suspend the customer.',
  ...{ ...LIVE, decidedBy: 'ONE', reasonHint: READ_BY_CUSTOMER },
  subject: {
    find: async ({ db }, id) =>
      isId(ID_PREFIXES.customer, id) ? db.system((tx) => findCustomer(tx, id)) : null,
    missing: (id) => `There is no customer ${id}.`,
  },
  page: '/customers/:id/withdraw-live-access',
  command: LOGGED_IN,
  words: ({ id }) => `Withdraw live access: ${id}`,
  refusal: ({ hasLiveAccess }) =>
    hasLiveAccess ? null : refused('The customer has no live access.'),
  run: (deps, { subject: { id }, act }) =>
    mailing(deps, `Withdrew live access: ${id}.`, (tx) => withdrawLiveAccess(deps, tx, id, act)),
});

const LIVE_REQUEST: ActSubject<LiveRequestShown> = {
  find: ({ db, clock }, id) => db.system((tx) => findLiveRequestShown(tx, id, clock.now())),
  missing: (id) => `There is no live access request ${id}.`,
};

export const PROPOSE_LIVE_ACCESS = defineAct({
  name: 'live-access.propose',
  ...{ title: 'Propose live access', submit: 'Propose' },
  summary:
    'Gives the customer live access after a second operator approves. It takes effect only if the company’s data, its KYC check, and the terms have not changed by then.',
  ...{ ...LIVE, decidedBy: 'TWO', subject: LIVE_REQUEST },
  reasonHint: 'The second operator sees it, and the audit log keeps it. Do not name an end-user.',
  page: '/requests/live/:id/propose',
  command: ON_ITS_PAGE,
  words: ({ request }) => `Propose live access: ${request.customerId}`,
  refusal({ request, isOutdated }) {
    if (request.decision !== null) return refused('The request has already been decided.');
    return isOutdated
      ? refused(
          'The customer’s data has changed since the request. The customer must submit a new request.',
        )
      : null;
  },
  run: async (deps, { subject: { request }, act }) =>
    proposed(await proposeLiveAccess(deps, request, act), request.id),
});

export const DECLINE_LIVE_ACCESS = defineAct({
  name: 'live-access.decline',
  ...{ title: 'Decline live access', submit: 'Decline', isDangerous: true },
  summary: 'Declines the request. The owners get an email and can submit a new request.',
  ...{ ...LIVE, decidedBy: 'ONE', subject: LIVE_REQUEST, reasonHint: READ_BY_CUSTOMER },
  page: '/requests/live/:id/decline',
  command: ON_ITS_PAGE,
  words: ({ request }) => `Decline live access: ${request.customerId}`,
  refusal: ({ request }) =>
    request.decision === null ? null : refused('The request has already been decided.'),
  run: (deps, { subject: { request }, act }) =>
    mailing(deps, `Declined: ${request.id}.`, (tx) => declineLiveAccess(deps, tx, request, act)),
});

export const LIVE_ACCESS_ACTS = [
  WITHDRAW_LIVE_ACCESS,
  PROPOSE_LIVE_ACCESS,
  DECLINE_LIVE_ACCESS,
] as const;
