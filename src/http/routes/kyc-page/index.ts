import type { App, HttpDeps } from '../../deps.ts';
import { openKycPage } from './open.ts';

/** Belongs on the root, not under /api/v1. */
export function registerKycPage(app: App, deps: HttpDeps): void {
  openKycPage(app, deps);
}
