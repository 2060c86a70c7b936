import type { App, HttpDeps } from '../../deps.ts';
import { receiveKycCallback } from './receive.ts';

export function registerKycCallbacks(app: App, deps: HttpDeps): void {
  receiveKycCallback(app, deps);
}
