import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { serveAddress } from './address-routes.tsx';
import { serveKeepAddress } from './keep-address-routes.tsx';
import { serveLoginCode } from './login-code-routes.tsx';
import { serveLogin } from './login-routes.tsx';
import { servePasskeys } from './passkey-routes.ts';
import { serveSessions } from './session-routes.ts';
import { serveSettings } from './settings-routes.ts';

/** Logging in and out, and what is a person's own: the same on both surfaces. */
export function registerAccessPages(app: WebApp, deps: AccessPageDeps): void {
  serveLogin(app, deps);
  serveLoginCode(app, deps);
  serveSessions(app, deps);
  serveSettings(app, deps);
  servePasskeys(app, deps);
  serveAddress(app, deps);
  serveKeepAddress(app, deps);
}
