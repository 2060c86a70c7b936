import { proposeLiveAccess } from '../../../../../modules/customers/live/grant-live-access.ts';
import {
  declineLiveAccess,
  withdrawLiveAccess,
} from '../../../../../modules/customers/live/narrow-live-access.ts';
import { withinTransaction } from '../../../../../modules/approvals/within-transaction.ts';
import { ApprovalRefused } from '../../../../../modules/approvals/decide-approval.ts';
import {
  findCustomer,
  type CustomerStatusRow,
} from '../../../../../db/customers/customer-status-store.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import type { LiveAct } from './live-act.ts';
import { loadLiveRequest, type LiveRequestShown } from './load.ts';

const REQUEST = {
  path: (name: string) => `/requests/live/:id/${name}`,
  current: '/requests',
  load: loadLiveRequest,
  customerOf: ({ request }: LiveRequestShown) => ({
    id: request.customerId,
    name: request.customerName,
  }),
  back: ({ request }: LiveRequestShown) => `/requests/live/${request.id}`,
} as const;

const FOR_CUSTOMER = 'The customer reads it. It names no person.';

export const PROPOSE: LiveAct<LiveRequestShown> = {
  ...REQUEST,
  path: REQUEST.path('propose'),
  title: 'Propose live access',
  submit: 'Propose',
  about:
    'A second operator approves it. It takes effect then, if the company’s data, its check and the terms are still as they are now.',
  reasonHint: 'The second operator reads it, and the audit log keeps it. It names no end-user.',
  isDangerous: false,
  problem: ({ request, isOutdated }) => {
    if (request.decision !== null) return 'The request was decided.';
    return isOutdated ? 'What the request was about has changed: the customer asks anew.' : null;
  },
  async perform({ clock, tellApprovers }, tx, { request }, act) {
    const deps = { db: withinTransaction(tx), clock, tellApprovers };
    if ((await proposeLiveAccess(deps, request, act)) === null) {
      throw new ApprovalRefused('A proposal about it waits already.');
    }
    return [];
  },
};

export const DECLINE: LiveAct<LiveRequestShown> = {
  ...REQUEST,
  path: REQUEST.path('decline'),
  title: 'Decline live access',
  submit: 'Decline',
  about: 'The owners get a mail, and can ask again.',
  reasonHint: FOR_CUSTOMER,
  isDangerous: true,
  problem: ({ request }) => (request.decision === null ? null : 'The request was decided.'),
  perform: (deps, tx, { request }, act) => declineLiveAccess(deps, tx, request, act),
};

export const WITHDRAW: LiveAct<CustomerStatusRow> = {
  path: '/customers/:id/withdraw-live-access',
  current: '/customers',
  async load(tx, id) {
    const customer = isId(ID_PREFIXES.customer, id) ? await findCustomer(tx, id) : null;
    if (customer === null) throw noSuchPage();
    return customer;
  },
  customerOf: (customer) => customer,
  back: ({ id }) => `/customers/${id}`,
  title: 'Withdraw live access',
  submit: 'Withdraw',
  about:
    'At once every live key of the customer is refused. Payments that were accepted go on: suspend the customer to hold these.',
  reasonHint: FOR_CUSTOMER,
  isDangerous: true,
  problem: ({ hasLiveAccess }) => (hasLiveAccess ? null : 'The customer has no live access.'),
  perform: (deps, tx, { id }, act) => withdrawLiveAccess(deps, tx, id, act),
};
