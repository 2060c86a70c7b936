import { Type } from 'typebox';
import {
  findCustomer,
  type CustomerStatusRow,
} from '../../../../db/customers/customer-status-store.ts';
import { listOwners } from '../../../../db/customers/owner-store.ts';
import { countPasskeys } from '../../../../db/customers/passkey-store.ts';
import { PLATFORM_ACCOUNT } from '../../../../domain/platform-account.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { ActLinks, type ActLink } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { moment } from '../../parts/moments.ts';
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
    const act =
      status === 'ACTIVE'
        ? { href: `/customers/${id}/suspend`, text: 'Suspend' }
        : { href: `/customers/${id}/resume`, text: 'Propose to resume' };
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
          <Card title="Facts">
            <Facts
              facts={[
                ['Id', <code>{id}</code>],
                ['Owners who can log in', String(owners.length)],
                ['Live access', customer.hasLiveAccess ? 'yes' : 'no'],
                ['Since (UTC)', moment(customer.createdAt)],
              ]}
            />
          </Card>
          {owners.length === 0 ? null : <OwnersCard {...{ owners, passkeys, operator }} />}
          {id === PLATFORM_ACCOUNT ? null : (
            <ActLinks
              operator={operator}
              links={[
                { ...act, right: 'suspend-customers' },
                ...(customer.hasLiveAccess ? [withdrawal(id)] : []),
                ...(owners.length > 0
                  ? []
                  : [
                      {
                        ...{ href: `/customers/${id}/owner`, text: 'Invite the first owner' },
                        right: 'decide-requests' as const,
                      },
                    ]),
              ]}
            />
          )}
        </>
      ),
    });
  });
}

const withdrawal = (id: string): ActLink => ({
  href: `/customers/${id}/withdraw-live-access`,
  text: 'Withdraw live access',
  right: 'decide-live-access',
});
