import { Type } from 'typebox';
import {
  findCustomer,
  type CustomerStatusRow,
} from '../../../../db/customers/customer-status-store.ts';
import { listOwners } from '../../../../db/customers/owner-store.ts';
import { countPasskeys } from '../../../../db/customers/passkey-store.ts';
import { PLATFORM_ACCOUNT } from '../../../../domain/platform-account.ts';
import {
  INVITE_OWNER,
  RESUME_CUSTOMER,
  SUSPEND_CUSTOMER,
} from '../../../../modules/operations/acts/customer-acts.ts';
import { WITHDRAW_LIVE_ACCESS } from '../../../../modules/operations/acts/live-access-acts.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { Lead } from '../../parts/lead.tsx';
import { moment } from '../../parts/moments.ts';
import { stepOf, WhatToDo, type Step } from '../../parts/what-to-do.tsx';
import { CustomerChip } from './list.tsx';
import { OwnersCard } from './owners-card.tsx';

/** A customer; 404 where there is none. */
export async function loadCustomer({ db }: ConsoleDeps, id: string): Promise<CustomerStatusRow> {
  const customer = await db.system((tx) => findCustomer(tx, id));
  if (customer === null) throw noSuchPage();
  return customer;
}

/** GET /customers/{id}: one customer, and whether it may work. */
export function registerCustomer(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/customers/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const customer = await loadCustomer(deps, request.params.id);
    const { id, status } = customer;
    const { owners, passkeys } = await deps.db.system(async (tx) => {
      const found = await listOwners(tx, id);
      const ids = found.map((owner) => owner.id);
      return { owners: found, passkeys: await countPasskeys(tx, ids) };
    });
    const operator = operatorOf(request);
    return sendConsolePage(request, reply, {
      title: customer.name,
      current: '/customers',
      body: (
        <>
          <PageHead
            title={customer.name}
            trail={{ href: '/customers', text: 'Customers', here: id }}
          >
            <CustomerChip status={status} />
          </PageHead>
          <Lead sentences={sentencesOf(customer)} />
          <Card title="Details">
            <Facts
              facts={[
                ['ID', <code>{id}</code>],
                ['Owners who can log in', String(owners.length)],
                ['Live access', customer.hasLiveAccess ? 'Yes' : 'No'],
                ['Since (UTC)', moment(customer.createdAt)],
              ]}
            />
          </Card>
          {owners.length === 0 ? null : <OwnersCard {...{ owners, passkeys, operator }} />}
          <WhatToDo
            operator={operator}
            recommended={null}
            others={id === PLATFORM_ACCOUNT ? [] : stepsOf(customer, owners.length > 0)}
          />
        </>
      ),
    });
  });
}

const stepsOf = (
  { id, status, hasLiveAccess }: CustomerStatusRow,
  hasOwner: boolean,
): readonly Step[] => [
  ...(hasOwner ? [] : [stepOf(INVITE_OWNER, id)]),
  stepOf(status === 'ACTIVE' ? SUSPEND_CUSTOMER : RESUME_CUSTOMER, id),
  ...(hasLiveAccess ? [stepOf(WITHDRAW_LIVE_ACCESS, id)] : []),
];

/** Whether it may work, and what that means for its payments. */
function sentencesOf({ status, hasLiveAccess }: CustomerStatusRow): readonly string[] {
  if (status !== 'ACTIVE') {
    return [
      'This customer is suspended. Its keys are refused, and its payments are held.',
      'It waits for two operators to resume it.',
    ];
  }
  return [
    hasLiveAccess
      ? 'This customer is active and can move real money.'
      : 'This customer is active in the test environment. It has no live access.',
  ];
}
