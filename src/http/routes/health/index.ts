import type { App, HttpDeps } from '../../deps.ts';
import { getHealth } from './get-health.ts';
import { getReady } from './get-ready.ts';

export function registerHealth(app: App, deps: HttpDeps): void {
  getHealth(app);
  getReady(app, deps);
}
