import { inviteOwner } from '../../../../modules/customers/access/invite-owner.ts';
import type { CustomerStatusRow } from '../../../../db/customers/customer-status-store.ts';
import { listOwners } from '../../../../db/customers/owner-store.ts';
import {
  ADDRESS_LENGTH_MAX,
  readEmailAddress,
} from '../../../../domain/customers/access/email-address.ts';
import { PLATFORM_ACCOUNT } from '../../../../domain/platform-account.ts';
import { noSuchPage, PageRefusal } from '../../../kit/page-refusal.ts';
import { TextField } from '../../../kit/parts/field.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { loadCustomer } from './detail.tsx';

const FIELDS = {
  name: {
    ...{ what: 'the name', lengthMax: 100 },
    check: (text: string) =>
      /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'Write it in one line of plain text.' : null,
  },
  address: {
    ...{ what: 'the e-mail address', lengthMax: ADDRESS_LENGTH_MAX },
    check: (text: string) =>
      readEmailAddress(text) === null ? 'Enter an e-mail address, as name@example.com.' : null,
  },
} as const;

const REFUSALS = {
  HAS_AN_OWNER: 'The customer has an owner, who invites the others.',
  ADDRESS_IS_TAKEN: 'A user of the customer has this address.',
  TOO_MANY_USERS: 'The customer has as many users as it may have.',
} as const;

const refused = (why: keyof typeof REFUSALS) =>
  new PageRefusal(409, 'No owner was invited', `${REFUSALS[why]} Nothing was changed.`);

/** /customers/{id}/owner: the first owner of a customer that no owner can log in for. */
export function serveOwnerAct(app: WebApp, deps: ConsoleDeps): void {
  serveAct(app, deps, {
    ...{ path: '/customers/:id/owner', current: '/customers', fields: FIELDS },
    ...({ right: 'decide-requests', actingIn: 'system' } as const),
    async load({ id }) {
      const customer = await loadCustomer(deps, id);
      if (customer.id === PLATFORM_ACCOUNT) throw noSuchPage();
      const owners = await deps.db.system((tx) => listOwners(tx, id));
      if (owners.length > 0) throw refused('HAS_AN_OWNER');
      return customer;
    },
    page: ({ id, name }: CustomerStatusRow) => ({
      ...{ title: 'Invite the first owner', submit: 'Send the invitation' },
      words: `Invite the first owner of ${id}`,
      trail: { href: `/customers/${id}`, text: 'Customer', here: id },
      about: (
        <p>
          No owner can log in for {name} yet. The owner gets a link that is good for 7 days, and
          invites the others. An owner who was invited before and has not come is withdrawn.
        </p>
      ),
    }),
    inputs: (_customer, values, problems) => (
      <>
        <TextField
          name="name"
          label="Name"
          value={values.name ?? ''}
          problems={problems}
          isRequired
        />
        <TextField
          name="address"
          label="E-mail address"
          type="email"
          value={values.address ?? ''}
          problems={problems}
          isRequired
        />
      </>
    ),
    async perform({ subject, values, act, deps: acting, mailed }) {
      const address = readEmailAddress(values.address) ?? '';
      const order = {
        ...{ customerId: subject.id, reason: act.reason },
        actor: { kind: 'OPERATOR', name: act.operator },
      } as const;
      const invited = await acting.db.system((tx) =>
        inviteOwner(acting, tx, order, { name: values.name, address }),
      );
      if ('refusal' in invited) throw refused(invited.refusal);
      mailed(invited.mailId);
      return `/customers/${subject.id}`;
    },
  });
}
