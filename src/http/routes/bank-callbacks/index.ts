import type { App, HttpDeps } from '../../deps.ts';
import { receiveBankCallback } from './receive.ts';

export function registerBankCallbacks(app: App, deps: HttpDeps): void {
  receiveBankCallback(app, deps);
}
