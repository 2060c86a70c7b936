import type { App, HttpDeps } from '../../deps.ts';
import { getKyc } from './get.ts';
import { startKyc } from './start.ts';

export function registerKyc(app: App, deps: HttpDeps): void {
  startKyc(app, deps);
  getKyc(app, deps);
}
