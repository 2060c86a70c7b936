import type { App, HttpDeps } from '../deps.ts';
import { registerBalances } from './balances/index.ts';
import { registerBankAccounts } from './bank-accounts/index.ts';
import { registerBankCallbacks } from './bank-callbacks/index.ts';
import { registerEndUsers } from './end-users/index.ts';
import { registerErrors } from './errors/index.ts';
import { registerEvents } from './events/index.ts';
import { registerFxRates } from './fx-rates/index.ts';
import { registerHealth, registerProbes } from './health/index.ts';
import { registerKyc } from './kyc/index.ts';
import { registerKycCallbacks } from './kyc-callbacks/index.ts';
import { registerKycPage } from './kyc-page/index.ts';
import { registerOpenApi } from './openapi/index.ts';
import { registerPayments } from './payments/index.ts';
import { registerWebhookEndpoints } from './webhook-endpoints/index.ts';

/** Routes below /api/v1: behind an API key unless they say that they are public. */
export function registerV1Routes(app: App, deps: HttpDeps): void {
  registerOpenApi(app);
  registerBalances(app, deps);
  registerBankAccounts(app, deps);
  registerEndUsers(app, deps);
  registerErrors(app);
  registerEvents(app, deps);
  registerFxRates(app, deps);
  registerHealth(app, deps);
  registerKyc(app, deps);
  registerKycCallbacks(app, deps);
  registerBankCallbacks(app, deps);
  registerPayments(app, deps);
  registerWebhookEndpoints(app, deps);
}

/** Routes beside the API, outside its authentication: probes and hosted pages. */
export function registerRootRoutes(app: App, deps: HttpDeps): void {
  registerProbes(app, deps);
  registerKycPage(app, deps);
}
