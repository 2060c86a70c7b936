import { expect } from 'vitest';
import { crawl } from './crawl.ts';
import type { Journey } from './journey.ts';
import { logIn, type Person } from './people.ts';
import { pageRoutes, routeOf } from './page-routes.ts';

/** Judged on the way, or by tests of their own: they are of a stranger, or their link is used up. */
const OF_STRANGERS = [
  ...['/login', '/login/code', '/request-access', '/request-access/sent', '/verify/:token'],
  ...['/confirm-address/:token', '/keep-address/:token'],
];

/** Of a login provider, of which the stack has none; test/integration/web/provider-login.test.ts looks at these. */
const OF_PROVIDER = ['/login/provider', '/login/provider/callback'];

/** What comes up only once something has gone wrong; test/integration/web/console-pages.test.ts looks at these. */
const AFTER_TROUBLE = [
  '/requests/addresses/:addressId/propose',
  ...['/requests/addresses/:addressId/decline', '/requests/live/:id/propose'],
  ...['/requests/live/:id/decline', '/approvals/:id/take-up', '/approvals/:id/approve'],
  ...['/approvals/:id/refuse', '/approvals/:id/withdraw'],
  ...['/payments/:id', '/payments/:id/retry', '/payments/:id/late-return', '/deposits/:id'],
  ...['/payments/:id/confirm-settled', '/payments/:id/confirm-failed', '/payments/:id/void'],
  '/operators/:id/confirm',
  '/customers/:id/owner',
  ...['/reconciliation/credits/:id', '/reconciliation/credits/:id/assign', '/statements/:id'],
  ...['/reconciliation/credits/:id/close', '/statements/:id/accept', '/release/:id/resume'],
  ...['/reconciliation/credits/:id/dismiss', '/statements/:id/accept-sums'],
  '/reconciliation/credits/:id/tie',
  ...['/reconciliation/exceptions/:id', '/reconciliation/exceptions/:id/act'],
  '/reconciliation/exception-acts/:id/reverse',
  ...['/release/restore-begin', '/release/restore-end', '/reviews/:id', '/reviews/:id/refuse'],
  ...['/reviews/:id/release', '/reviews/:id/names', '/customers/:id/resume'],
  ...['/reviews/wallets/:id', '/reviews/wallets/:id/refuse', '/reviews/wallets/:id/release'],
  ...['/reviews/deposits/:id', '/reviews/deposits/:id/refuse', '/reviews/deposits/:id/release'],
  ...['/reviews/deposits/:id/unblock', '/reviews/deposits/:id/keep'],
  ...['/reviews/kyc-override', '/operators/:id/lost-passkeys', '/owners/:id/lost-passkeys'],
];

/** What comes over a network, of which this journey has none; test/integration/web/dashboard/browser.test.ts looks at these. */
const OVER_NETWORKS = [
  ...['/:env/deposits/:depositId', '/:env/deposit-addresses/:depositAddressId'],
  '/:env/wallets/:walletId',
];

/** Every page of the dashboard as its owner finds it by links, and of the console as three roles do. */
export async function seeEveryPage(journey: Journey): Promise<void> {
  const { owner, second, look, looked } = journey;
  const dashboard = await crawl(owner, 'dashboard', { look, from: ['/'] });
  const but = [...OF_STRANGERS, ...OF_PROVIDER, ...OVER_NETWORKS];
  await expectAllSeen('dashboard', [...dashboard, ...looked], but);

  let console: ReadonlySet<string> = new Set();
  const from = ['/', '/requests/addresses', '/requests/live'];
  for (const role of ['compliance', 'operations', 'admin']) {
    const person = role === 'compliance' ? second : await comeInAs(journey, role);
    console = await crawl(person, 'console', { look, from, seen: console });
  }
  const rest = [...OF_STRANGERS, ...OF_PROVIDER, ...AFTER_TROUBLE];
  await expectAllSeen('console', [...console, ...looked], rest);
}

/** The browser of the first operator, from now on another operator's. */
async function comeInAs({ stack, first }: Journey, role: string): Promise<Person> {
  const { operators } = stack.state().logins;
  const address = operators.find((one) => one.startsWith(`${role}@`)) ?? '';
  await first.visitor.page.context().clearCookies();
  const person = { ...first, address };
  await logIn(person);
  return person;
}

async function expectAllSeen(
  surface: 'dashboard' | 'console',
  paths: readonly string[],
  but: readonly string[],
): Promise<void> {
  const routes = await pageRoutes(surface);
  const seen = new Set(paths.map((path) => routeOf(routes, path)));
  const unseen = routes.filter((route) => !seen.has(route));
  expect.soft(unseen.filter((route) => !but.includes(route))).toEqual([]);
}
