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

const READ_BY_CUSTOMER = 'The customer reads it. It names no person.';
const LIVE = { right: 'decide-live-access', inputs: {} } as const;

export const WITHDRAW_LIVE_ACCESS = defineAct({
  name: 'live-access.withdraw',
  ...{ title: 'Withdraw live access', submit: 'Withdraw', isDangerous: true },
  summary:
    'Refuse every live key of a customer, at once. Payments that were accepted go on: suspend the customer to hold these.',
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
    mailing(deps, `Live access is withdrawn: ${id}.`, (tx) =>
      withdrawLiveAccess(deps, tx, id, act),
    ),
});

const LIVE_REQUEST: ActSubject<LiveRequestShown> = {
  find: ({ db, clock }, id) => db.system((tx) => findLiveRequestShown(tx, id, clock.now())),
  missing: (id) => `There is no request ${id}.`,
};

export const PROPOSE_LIVE_ACCESS = defineAct({
  name: 'live-access.propose',
  ...{ title: 'Propose live access', submit: 'Propose' },
  summary:
    'Give a customer live access. It takes effect if the company’s data, its check and the terms are still as they are now.',
  ...{ ...LIVE, decidedBy: 'TWO', subject: LIVE_REQUEST },
  reasonHint: 'The second operator reads it, and the audit log keeps it. It names no end-user.',
  page: '/requests/live/:id/propose',
  command: ON_ITS_PAGE,
  words: ({ request }) => `Propose live access: ${request.customerId}`,
  refusal({ request, isOutdated }) {
    if (request.decision !== null) return refused('The request was decided.');
    return isOutdated
      ? refused('What the request was about has changed: the customer asks anew.')
      : null;
  },
  run: async (deps, { subject: { request }, act }) =>
    proposed(await proposeLiveAccess(deps, request, act), request.id),
});

export const DECLINE_LIVE_ACCESS = defineAct({
  name: 'live-access.decline',
  ...{ title: 'Decline live access', submit: 'Decline', isDangerous: true },
  summary: 'Decline a request for live access. The owners get a mail, and can ask again.',
  ...{ ...LIVE, decidedBy: 'ONE', subject: LIVE_REQUEST, reasonHint: READ_BY_CUSTOMER },
  page: '/requests/live/:id/decline',
  command: ON_ITS_PAGE,
  words: ({ request }) => `Decline live access: ${request.customerId}`,
  refusal: ({ request }) =>
    request.decision === null ? null : refused('The request was decided.'),
  run: (deps, { subject: { request }, act }) =>
    mailing(deps, `Declined: ${request.id}.`, (tx) => declineLiveAccess(deps, tx, request, act)),
});

export const LIVE_ACCESS_ACTS = [
  WITHDRAW_LIVE_ACCESS,
  PROPOSE_LIVE_ACCESS,
  DECLINE_LIVE_ACCESS,
] as const;
