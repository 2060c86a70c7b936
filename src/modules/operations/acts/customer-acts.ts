import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  findAccessRequest,
  type AccessRequestRow,
} from '../../../db/customers/access-request-store.ts';
import {
  findAddressToDecide,
  type AddressToDecide,
} from '../../../db/customers/address-decision-store.ts';
import {
  findCustomer,
  type CustomerStatusRow,
} from '../../../db/customers/customer-status-store.ts';
import { listOwners } from '../../../db/customers/owner-store.ts';
import {
  ADDRESS_LENGTH_MAX,
  readEmailAddress,
} from '../../../domain/customers/access/email-address.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { ApprovalRefused, decideApproval } from '../../approvals/decide-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import {
  approveAccessRequest,
  DECLINE_REASONS,
  declineAccessRequest,
} from '../../customers/access/decide-access-request.ts';
import { inviteFirstOwner } from '../../customers/access/invite-first-owner.ts';
import { inviteOwner } from '../../customers/access/invite-owner.ts';
import { declineAddress, proposeAddress } from '../../customers/decide-address.ts';
import { proposeLiveAccess } from '../../customers/live/grant-live-access.ts';
import {
  findLiveRequestShown,
  type LiveRequestShown,
} from '../../customers/live/live-request-shown.ts';
import { declineLiveAccess, withdrawLiveAccess } from '../../customers/live/narrow-live-access.ts';
import { proposeResumption } from '../../customers/resume-customer.ts';
import { suspendCustomer } from '../../customers/suspend-customer.ts';
import { choicesOf } from './act-input.ts';
import {
  defineAct,
  proposed,
  refused,
  type ActDeps,
  type ActOutcome,
  type ActRefused,
  type ActSubject,
} from './operator-act.ts';

const ON_ITS_PAGE = { none: 'It is decided where the console shows what the customer asks for.' };
const LOGGED_IN = { none: 'An operator who is logged in decides it.' };
const CUSTOMER_ID = { option: '<id>', help: 'cus_...' };

/** Ourselves is none of them: it has no keys, and the books need it. */
const CUSTOMER: ActSubject<CustomerStatusRow> = {
  async find({ db }, id) {
    const customer = await db.system((tx) => findCustomer(tx, id));
    return customer?.id === PLATFORM_ACCOUNT ? null : customer;
  },
  missing: (id) => `There is no customer ${id}.`,
};

const notAs = ({ id }: CustomerStatusRow, status: string): ActRefused =>
  refused(`The customer ${id} is not ${status}, or not any more.`, 'It has changed');

export const SUSPEND_CUSTOMER = defineAct({
  name: 'customers.suspend',
  ...{ title: 'Suspend a customer', submit: 'Suspend', isDangerous: true },
  summary:
    'Suspend a customer. No payment of it leaves any more, its keys are refused, and its users see everything and change nothing. Its owners get a mail. To resume takes two operators.',
  ...{ right: 'suspend-customers', decidedBy: 'ONE', inputs: {}, subject: CUSTOMER },
  page: '/customers/:id/suspend',
  command: LOGGED_IN,
  words: ({ id }) => `Suspend a customer: ${id}`,
  refusal: (customer) => (customer.status === 'ACTIVE' ? null : notAs(customer, 'ACTIVE')),
  async run(deps, { subject, act }) {
    const mailIds = await suspendCustomer(deps, subject.id, act);
    if (mailIds === null) return notAs(subject, 'ACTIVE');
    mailIds.forEach(deps.dispatchMail);
    return { kind: 'DONE', text: `Suspended: ${subject.id}.` };
  },
});

export const RESUME_CUSTOMER = defineAct({
  name: 'customers.resume',
  ...{ title: 'Propose to resume a customer', submit: 'Propose' },
  summary: 'Let a suspended customer work again.',
  ...{ right: 'suspend-customers', decidedBy: 'TWO', inputs: {}, subject: CUSTOMER },
  page: '/customers/:id/resume',
  command: { line: 'customers resume', id: CUSTOMER_ID },
  words: ({ id }) => `Propose to resume a customer: ${id}`,
  refusal: (customer) => (customer.status === 'SUSPENDED' ? null : notAs(customer, 'SUSPENDED')),
  run: async (deps, { subject, act }) =>
    proposed(await proposeResumption(deps, subject, act), subject.id),
});

const OWNER_REFUSALS = {
  HAS_AN_OWNER: 'has an owner, who invites the others.',
  ADDRESS_IS_TAKEN: 'has a user of this address.',
  TOO_MANY_USERS: 'has as many users as it may have.',
} as const;

const noOwner = (id: string, why: keyof typeof OWNER_REFUSALS): ActRefused =>
  refused(`${id} ${OWNER_REFUSALS[why]} No owner was invited.`, 'No owner was invited');

export const INVITE_OWNER = defineAct({
  name: 'customers.invite-owner',
  ...{ title: 'Invite the first owner', submit: 'Send the invitation' },
  summary:
    'Invite the first owner of a customer that no owner can log in for. The owner gets a link that is good for 7 days, and invites the others. An owner who was invited before and has not come is withdrawn.',
  ...{ right: 'decide-requests', decidedBy: 'ONE' },
  inputs: {
    name: {
      ...{ label: 'Name', what: 'the name', lengthMax: 100, preset: 'Owner' },
      ...{ option: '--owner-name <text>', help: 'what the owner is called' },
    },
    address: {
      ...{ label: 'E-mail address', what: 'the e-mail address', lengthMax: ADDRESS_LENGTH_MAX },
      keyboard: 'email',
      check: (text) =>
        readEmailAddress(text) === null ? 'Enter an e-mail address, as name@example.com.' : null,
      ...{ option: '--owner <address>', help: 'the e-mail address that the link goes to' },
    },
  },
  subject: {
    async find(deps, id) {
      const customer = await CUSTOMER.find(deps, id);
      if (customer === null) return null;
      const owners = await deps.db.system((tx) => listOwners(tx, id));
      return { ...customer, hasOwner: owners.length > 0 };
    },
    missing: CUSTOMER.missing,
  },
  refusal: ({ id, hasOwner }) => (hasOwner ? noOwner(id, 'HAS_AN_OWNER') : null),
  page: '/customers/:id/owner',
  command: { line: 'customers invite-owner', id: CUSTOMER_ID, reasonPreset: 'by hand' },
  words: ({ id }) => `Invite the first owner of ${id}`,
  async run(deps, { subject: { id: customerId }, values, act }) {
    const address = readEmailAddress(values.address) ?? '';
    const actor = { kind: 'OPERATOR', name: act.operator } as const;
    const order = { customerId, reason: act.reason, actor };
    const invited = await deps.db.system(async (tx) =>
      inviteOwner(deps, tx, order, { name: values.name, address }),
    );
    if ('refusal' in invited) return noOwner(customerId, invited.refusal);
    deps.dispatchMail(invited.mailId);
    const text = `The owner of ${customerId} is invited: the link is on its way (${invited.mailId}).`;
    return { kind: 'DONE', text };
  },
});

/** Does it in one transaction, and hands the mails on that it wrote. */
async function mailing(
  deps: ActDeps,
  text: string,
  work: (tx: SystemTransaction) => Promise<readonly string[]>,
): Promise<ActOutcome> {
  (await deps.db.system(work)).forEach(deps.dispatchMail);
  return { kind: 'DONE', text };
}

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

const ADDRESS: ActSubject<AddressToDecide> = {
  find: ({ db, clock }, id) => db.system((tx) => findAddressToDecide(tx, id, clock.now())),
  missing: (id) => `There is no address ${id}.`,
};

/** What was seen is what is decided about: the version of the address, and the proposal, if any. */
const ADDRESSES = {
  right: 'decide-addresses',
  inputs: {},
  subject: ADDRESS,
  command: ON_ITS_PAGE,
  seen: ({ version, approvalId }: AddressToDecide) => ({
    version: String(version),
    approval: approvalId ?? '',
  }),
  refusal: ({ status, range }: AddressToDecide) =>
    status === 'PENDING'
      ? null
      : refused(`${range} waits no more: it is ${status}.`, 'It has changed'),
} as const;

export const PROPOSE_ADDRESS = defineAct({
  name: 'addresses.propose',
  ...{ title: 'Propose approval', submit: 'Propose approval' },
  summary:
    'Let a live key be used from an address. It is approved within seven days, or not at all.',
  ...{ ...ADDRESSES, decidedBy: 'TWO' },
  page: '/requests/addresses/:addressId/propose',
  words: ({ range, apiKeyId }) => `Propose approval: the address ${range} of ${apiKeyId}`,
  async run(deps, { subject: { id, range }, act }) {
    return proposed(await deps.db.system((tx) => proposeAddress(deps, tx, id, act)), range);
  },
});

export const DECLINE_ADDRESS = defineAct({
  name: 'addresses.decline',
  ...{ title: 'Decline an address', submit: 'Decline', isDangerous: true },
  summary:
    'Decline an address of a live key. The customer reads the reason, and may propose it again.',
  ...{ ...ADDRESSES, decidedBy: 'ONE' },
  page: '/requests/addresses/:addressId/decline',
  words: ({ range, apiKeyId }) => `Decline: the address ${range} of ${apiKeyId}`,
  run: (deps, { subject: { id, approvalId, range }, act }) =>
    mailing(deps, `Declined: ${range}.`, async (tx) => {
      const deciding = { db: withinTransaction(tx), clock: deps.clock };
      if (approvalId !== null) await decideApproval(deciding, approvalId, 'REFUSED', act);
      return declineAddress(deps, tx, id, act);
    }),
});

const REQUEST: ActSubject<AccessRequestRow> = {
  find: ({ db }, id) => db.system((tx) => findAccessRequest(tx, id)),
  missing: (id) => `There is no request ${id}.`,
};
const DECIDED_MEANWHILE =
  'This request was decided meanwhile, or its time is over. Open the page again to see it.';

const refuseOver = ({ status, expiresAt }: AccessRequestRow, now: Date): ActRefused | null =>
  status === 'WAITING' && expiresAt > now ? null : refused(DECIDED_MEANWHILE, 'It is decided');

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
    // Where Temporal does not take it, the sweep finds that something is due.
    async after() {
      await deps.workflows.wakeOnboarding({ requestId }, requestId);
      return '';
    },
  };
}

export const APPROVE_REQUEST = defineAct({
  name: 'requests.approve',
  ...{ title: 'Approve a request for access', submit: 'Approve', inputs: {} },
  summary: 'Take a customer on. Its first owner gets an invitation by mail.',
  ...REQUESTS,
  page: '/requests/:id/approve',
  words: ({ id }) => `Approve the request ${id}`,
  refusal: (row, { now }) => refuseOver(row, now),
  run: (deps, { subject: { id: requestId }, act: { operator: operatorId } }) =>
    decideRequest(deps, requestId, (tx) =>
      approveAccessRequest(deps, tx, { requestId, operatorId }),
    ),
});

export const DECLINE_REQUEST = defineAct({
  name: 'requests.decline',
  ...{ title: 'Decline a request for access', submit: 'Decline', isDangerous: true },
  summary: 'Decline a request for access.',
  ...REQUESTS,
  inputs: {
    reason: {
      ...{ label: 'Reason', what: 'a reason', lengthMax: 20 },
      ...{ choices: choicesOf(DECLINE_REASONS), option: '--reason <name>', help: 'why' },
    },
  },
  page: '/requests/:id/decline',
  words: ({ id }) => `Decline the request ${id}`,
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
  ...{ title: 'Send the first owner a new link', submit: 'Send', inputs: {} },
  summary: 'Send the first owner of a request that was approved a new link.',
  ...REQUESTS,
  page: '/requests/:id/invite',
  words: ({ id }) => `Send the first owner of ${id} a new link`,
  run: (deps, { subject: { id: requestId }, act: { operator: operatorId } }) =>
    decideRequest(deps, requestId, (tx) => inviteFirstOwner(deps, tx, { requestId, operatorId })),
});

export const CUSTOMER_ACTS = [
  ...[SUSPEND_CUSTOMER, RESUME_CUSTOMER, INVITE_OWNER],
  ...[WITHDRAW_LIVE_ACCESS, PROPOSE_LIVE_ACCESS, DECLINE_LIVE_ACCESS],
  ...[PROPOSE_ADDRESS, DECLINE_ADDRESS],
  ...[APPROVE_REQUEST, DECLINE_REQUEST, INVITE_AGAIN],
] as const;
