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

/** The platform account is not one of them: it has no keys, and the ledger needs it. */
const CUSTOMER: ActSubject<CustomerStatusRow> = {
  async find({ db }, id) {
    const customer = await db.system((tx) => findCustomer(tx, id));
    return customer?.id === PLATFORM_ACCOUNT ? null : customer;
  },
  missing: (id) => `There is no customer ${id}.`,
};

const notAs = ({ id }: CustomerStatusRow, status: string): ActRefused =>
  refused(`Customer ${id} is not ${status}.`, 'It has changed');

export const SUSPEND_CUSTOMER = defineAct({
  name: 'customers.suspend',
  ...{ title: 'Suspend a customer', submit: 'Suspend', isDangerous: true },
  summary:
    'Stops all payments of the customer from leaving and refuses its API keys. Its users can still log in and view their data. Its owners get an email. Resuming the customer takes two operators.',
  ...{ right: 'suspend-customers', decidedBy: 'ONE', inputs: {}, subject: CUSTOMER },
  page: '/customers/:id/suspend',
  command: LOGGED_IN,
  words: ({ id }) => `Suspend customer ${id}`,
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
  summary: 'Allows a suspended customer to use its keys and send payments again.',
  ...{ right: 'suspend-customers', decidedBy: 'TWO', inputs: {}, subject: CUSTOMER },
  page: '/customers/:id/resume',
  command: { line: 'customers resume', id: CUSTOMER_ID },
  words: ({ id }) => `Propose to resume customer ${id}`,
  refusal: (customer) => (customer.status === 'SUSPENDED' ? null : notAs(customer, 'SUSPENDED')),
  run: async (deps, { subject, act }) =>
    proposed(await proposeResumption(deps, subject, act), subject.id),
});

const OWNER_REFUSALS = {
  HAS_AN_OWNER: 'already has an owner. The owner can invite other users.',
  ADDRESS_IS_TAKEN: 'already has a user with this email address.',
  TOO_MANY_USERS: 'has reached its maximum number of users.',
} as const;

const noOwner = (id: string, why: keyof typeof OWNER_REFUSALS): ActRefused =>
  refused(`${id} ${OWNER_REFUSALS[why]} No owner was invited.`, 'No owner was invited');

export const INVITE_OWNER = defineAct({
  name: 'customers.invite-owner',
  ...{ title: 'Invite the first owner', submit: 'Send the invitation' },
  summary:
    'Emails an invitation to the first owner of a customer that has no active owner. The link works for 7 days. The owner can then invite other users. An earlier invitation that was not accepted is canceled.',
  ...{ right: 'decide-requests', decidedBy: 'ONE' },
  inputs: {
    name: {
      ...{ label: 'Name', what: 'the name', lengthMax: 100, preset: 'Owner' },
      ...{ option: '--owner-name <text>', help: 'name of the owner' },
    },
    address: {
      ...{ label: 'Email address', what: 'the email address', lengthMax: ADDRESS_LENGTH_MAX },
      keyboard: 'email',
      check: (text) =>
        readEmailAddress(text) === null
          ? 'Enter an email address, for example name@example.com.'
          : null,
      ...{ option: '--owner <address>', help: 'email address that receives the link' },
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
    const text = `Invited the owner of ${customerId}. The email is ${invited.mailId}.`;
    return { kind: 'DONE', text };
  },
});

export const CUSTOMER_ACTS = [SUSPEND_CUSTOMER, RESUME_CUSTOMER, INVITE_OWNER] as const;
