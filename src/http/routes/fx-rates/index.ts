import type { App, HttpDeps } from '../../deps.ts';
import { listFxRates } from './list.ts';

export function registerFxRates(app: App, deps: HttpDeps): void {
  listFxRates(app, deps);
}
