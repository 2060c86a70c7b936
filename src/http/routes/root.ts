import type { App, HttpDeps } from '../deps.ts';
import { getHealth } from './health/get-health.ts';
import { getReady } from './health/get-ready.ts';
import { openKycPage } from './kyc-page/open.ts';
import { getWebhookKeys } from './webhook-keys/get.ts';

/** Every route beside the API, outside its authentication: probes, hosted pages, public keys. */
export function registerRootRoutes(app: App, deps: HttpDeps): void {
  getHealth(app, false);
  getReady(app, deps, false);
  openKycPage(app, deps);
  getWebhookKeys(app, deps);
}
