import type { App, HttpDeps } from '../../deps.ts';
import { getHealth } from './get-health.ts';
import { getReady } from './get-ready.ts';

/** Below /api/v1, where the document tells of them. */
export function registerHealth(app: App, deps: HttpDeps): void {
  getHealth(app, true);
  getReady(app, deps, true);
}

/** The same at the root, where probes look for them. */
export function registerProbes(app: App, deps: HttpDeps): void {
  getHealth(app, false);
  getReady(app, deps, false);
}
