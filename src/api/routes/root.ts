import type { HttpDeps } from '../deps.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { installClosedInput } from '../plugins/closed-input.ts';
import type { RateLimits } from '../plugins/rate-limit.ts';
import { registerDocsPages } from './operations/docs/docs-pages.ts';
import { getHealth } from './operations/health/get-health.ts';
import { getReady } from './operations/health/get-ready.ts';
import { registerKycAssets } from './parties/kyc-page/assets.ts';
import { registerKycPage } from './parties/kyc-page/register.ts';
import { getWebhookKeys } from './webhooks/webhook-keys/get.ts';

/** Every route beside the API, outside its authentication: probes, hosted pages, public keys. */
export function registerRootRoutes(app: App, deps: HttpDeps, limits: RateLimits): void {
  getHealth(app, false);
  getReady(app, deps, false);
  registerKycAssets(app);
  // A context of its own: its defences, its readers of forms, and pages for what goes wrong.
  void app.register(async (pages) => registerKycPage(pages as App, deps, limits));
  // Likewise: its policy, and pages for what goes wrong.
  void app.register(async (pages) => registerDocsPages(pages as App, deps));
  // A part of the API's document: what it does not name is refused here too.
  void app.register(async (keys) => {
    installClosedInput(keys);
    getWebhookKeys(keys, deps);
  });
}
