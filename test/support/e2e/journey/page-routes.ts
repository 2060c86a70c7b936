import { registerConsole } from '../../../../src/web/console/register-console.ts';
import type { ConsoleDeps } from '../../../../src/web/console/console-deps.ts';
import { registerDashboard } from '../../../../src/web/dashboard/register-dashboard.ts';
import type { DashboardDeps } from '../../../../src/web/dashboard/dashboard-deps.ts';
import type { Surface } from '../../../../src/domain/customers/access/rights.ts';
import { buildWebApp } from '../../../../src/web/kit/web-app.ts';
import { createTestClock } from '../../test-clock.ts';
import { createTestVault } from '../../test-vault.ts';
import { NO_PROOFS } from '../../web/sample-person.ts';

/** What is no page: files, answers of programs, and what leads elsewhere. */
const NO_PAGES = ['/health', '/:env/payments.csv'];

/** Every page of a surface that a GET answers, by its route, as it is registered. */
export async function pageRoutes(surface: Surface): Promise<string[]> {
  const routes: string[] = [];
  const vault = createTestVault();
  const clock = createTestClock();
  // Pages are registered and not asked for: nothing else of their dependencies is touched.
  const deps = { vault, clock, dashboardUrl: 'http://a.example', opsUrl: 'http://b.example' };
  const app = await buildWebApp(
    {
      ...{ surface, origin: 'http://a.example', vault, clock },
      ...{ findPerson: () => Promise.resolve(null), proofs: NO_PROOFS },
    },
    (web) => {
      web.addHook('onRoute', ({ method, url }) => {
        if (method === 'GET') routes.push(url);
      });
      if (surface === 'dashboard') registerDashboard(web, deps as unknown as DashboardDeps);
      else registerConsole(web, deps as unknown as ConsoleDeps);
    },
  );
  await app.ready();
  await app.close();
  return routes.filter((url) => !NO_PAGES.includes(url));
}

/** The route that a path belongs to: the one with the fewest parameters that fits. */
export function routeOf(routes: readonly string[], path: string): string | undefined {
  const parts = (text: string) => text.split('/');
  const fits = (route: string) =>
    parts(route).length === parts(path).length &&
    parts(route).every((part, nth) => part.startsWith(':') || part === parts(path)[nth]);
  const parameters = (route: string) => parts(route).filter((part) => part.startsWith(':')).length;
  return routes.filter(fits).sort((one, other) => parameters(one) - parameters(other))[0];
}
