import { proposeResumption } from '../../../../modules/customers/resume-customer.ts';
import { suspendCustomer } from '../../../../modules/customers/suspend-customer.ts';
import type { CustomerStatusRow } from '../../../../db/customers/customer-status-store.ts';
import { PLATFORM_ACCOUNT } from '../../../../domain/platform-account.ts';
import { noSuchPage, PageRefusal } from '../../../kit/page-refusal.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { proposedPage } from '../../acts/proposed-page.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { loadCustomer } from './detail.tsx';

/** /customers/{id}/suspend takes one operator, at once; /resume takes two. */
export function serveCustomerActs(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    ...{ current: '/customers', fields: {} },
    ...({ right: 'suspend-customers', actingIn: 'system' } as const),
  };
  serveAct(app, deps, {
    ...common,
    path: '/customers/:id/suspend',
    load: ({ id }) => loadAs(deps, id, 'ACTIVE'),
    page: (customer: CustomerStatusRow) => ({
      ...pageOf(customer, 'Suspend a customer', 'Suspend'),
      isDangerous: true,
      about: (
        <p>
          No payment of {customer.name} leaves any more, its keys are refused, and its users see
          everything and change nothing. Its owners get a mail. To resume takes two operators.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting, mailed }) {
      const mailIds = await suspendCustomer(acting, subject.id, act);
      if (mailIds === null) throw notAs('ACTIVE');
      mailIds.forEach(mailed);
      return `/customers/${subject.id}`;
    },
  });
  serveAct(app, deps, {
    ...common,
    path: '/customers/:id/resume',
    load: ({ id }) => loadAs(deps, id, 'SUSPENDED'),
    page: (customer: CustomerStatusRow) => ({
      ...pageOf(customer, 'Propose to resume a customer', 'Propose'),
      about: <p>{customer.name} works again once another operator approves.</p>,
    }),
    perform: async ({ subject, act, deps: acting }) =>
      proposedPage(await proposeResumption(acting, subject, act)),
  });
}

async function loadAs(deps: ConsoleDeps, id: string, status: CustomerStatusRow['status']) {
  const customer = await loadCustomer(deps, id);
  // It is ourselves: it has no keys, and the books need it.
  if (customer.id === PLATFORM_ACCOUNT) throw noSuchPage();
  if (customer.status !== status) throw notAs(status);
  return customer;
}

const notAs = (status: string) =>
  new PageRefusal(
    409,
    'It has changed',
    `The customer is not ${status} any more. Nothing was changed.`,
  );

const pageOf = ({ id }: CustomerStatusRow, title: string, submit: string) => ({
  ...{ title, submit, words: `${title}: ${id}` },
  trail: { href: `/customers/${id}`, text: 'Customer', here: id },
});
