import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { serveCheck } from './check.ts';
import { serveCompany } from './company-page.tsx';
import { serveRequest } from './request.ts';
import { serveGoingLive } from './show.tsx';
import { serveTerms } from './terms.tsx';

/** The pages of a customer that goes live. */
export function registerGoingLive(app: WebApp, deps: DashboardDeps): void {
  serveGoingLive(app, deps);
  serveCompany(app, deps);
  serveCheck(app, deps);
  serveTerms(app, deps);
  serveRequest(app, deps);
}
