import type { App, HttpDeps } from '../deps.ts';
import { registerBalances } from './balances/index.ts';
import { registerErrors } from './errors/index.ts';
import { registerEvents } from './events/index.ts';
import { registerFxRates } from './fx-rates/index.ts';
import { registerHealth } from './health/index.ts';
import { registerOpenApi } from './openapi/index.ts';

/** Routes below /api/v1: behind an API key unless they say that they are public. */
export function registerV1Routes(app: App, deps: HttpDeps): void {
  registerOpenApi(app);
  registerBalances(app, deps);
  registerErrors(app);
  registerEvents(app, deps);
  registerFxRates(app, deps);
  registerHealth(app, deps);
}

/** Routes beside the API, outside its authentication: probes, signed callbacks, hosted pages. */
export function registerRootRoutes(app: App, deps: HttpDeps): void {
  registerHealth(app, deps);
}
