import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../../domain/customers/access/person.ts';
import { rolesWith } from '../../../domain/customers/access/rights.ts';
import { SESSION_LIVES } from '../../../domain/customers/access/session-life.ts';
import type { Environment } from '../../../domain/scope.ts';
import { Frame, type NavGroup } from '../../kit/parts/frame.tsx';
import type { Children } from '../../kit/parts/types.ts';
import { userOf } from '../../kit/person.ts';
import { sendPage } from '../../kit/send-page.ts';

/** The sidebar: pages of one environment, and those of the company. */
const navOf = (env: Environment, { role }: User): readonly NavGroup[] => [
  {
    title: 'Money',
    items: [
      { href: `/${env}/home`, text: 'Home' },
      { href: `/${env}/payments`, text: 'Payments' },
      { href: `/${env}/limits`, text: 'Payment limits' },
      { href: `/${env}/deposits`, text: 'Deposits' },
      { href: `/${env}/deposit-addresses`, text: 'Deposit addresses' },
      { href: `/${env}/balances`, text: 'Balances' },
      { href: `/${env}/end-users`, text: 'End-users' },
      { href: `/${env}/wallets`, text: 'Wallets' },
    ],
  },
  {
    title: 'Build',
    items: [
      { href: `/${env}/keys`, text: 'API keys' },
      { href: `/${env}/webhooks`, text: 'Webhooks' },
      { href: `/${env}/requests`, text: 'Request log' },
    ],
  },
  {
    title: 'Company',
    items: [
      { href: '/going-live', text: 'Going live' },
      { href: '/users', text: 'Users' },
      // Who may not read it is not shown the way to a 403.
      ...((rolesWith('dashboard', 'see-audit-log') ?? []).includes(role)
        ? [{ href: '/audit', text: 'Audit log' }]
        : []),
      { href: '/settings', text: 'Settings' },
    ],
  },
];

/** Pages of a company are the same in both environments, and are shown beside those of test. */
const ENVIRONMENT_OF_COMPANY_PAGES = 'test';

/** Answers with a page for a user who is logged in; its status is the reply's, 200 unless it says otherwise. */
export function sendDashboardPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: {
    readonly title: string;
    /** Null on pages that are of the whole company. */
    readonly environment: Environment | null;
    /** The href of the sidebar's item that it belongs to. */
    readonly current: string;
    readonly body: Children;
  },
) {
  const user = userOf(request);
  const env = page.environment ?? ENVIRONMENT_OF_COMPANY_PAGES;
  const body = (
    <Frame
      who={user.customer.name}
      nav={navOf(env, user)}
      current={page.current}
      {...(page.environment === null
        ? {}
        : { environment: switchOf(page.environment, page.current) })}
      idleMinutes={SESSION_LIVES.dashboard.idleMinutes}
      logOut={{ action: '/log-out', token: reply.newForm('/log-out') }}
    >
      {page.body}
    </Frame>
  );
  return sendPage(reply, { title: page.title, body, theme: user.theme });
}

/** The other environment's list of what is shown now. */
function switchOf(now: Environment, current: string) {
  const path = current.replace(/^\/(test|live)/, '');
  return { now, hrefs: { test: `/test${path}`, live: `/live${path}` } };
}
