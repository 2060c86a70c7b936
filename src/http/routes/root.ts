import type { App, HttpDeps } from '../deps.ts';
import { getHealth } from './health/get-health.ts';
import { getReady } from './health/get-ready.ts';
import { openKycPage } from './kyc-page/open.ts';

/** Every route beside the API, outside its authentication: probes and hosted pages. */
export function registerRootRoutes(app: App, deps: HttpDeps): void {
  getHealth(app, false);
  getReady(app, deps, false);
  openKycPage(app, deps);
}
