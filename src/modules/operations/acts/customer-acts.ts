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
import { inviteOwner } from '../../customers/access/invite-owner.ts';
import { proposeResumption } from '../../customers/resume-customer.ts';
import { suspendCustomer } from '../../customers/suspend-customer.ts';
import { defineAct, proposed, refused, type ActRefused, type ActSubject } from './operator-act.ts';
import { LOGGED_IN } from './customer-act-parts.ts';

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

export const CUSTOMER_ACTS = [SUSPEND_CUSTOMER, RESUME_CUSTOMER, INVITE_OWNER] as const;
