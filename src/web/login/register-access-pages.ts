import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { registerAddress } from './address-routes.tsx';
import { registerKeepAddress } from './keep-address-routes.tsx';
import { registerLoginCode } from './login-code-routes.tsx';
import { registerLogin } from './login-routes.tsx';
import { registerPasskeyLogin } from './passkey-login-routes.ts';
import { registerPasskeys } from './passkey-routes.ts';
import { registerProvider } from './provider-routes.ts';
import { registerSessions } from './session-routes.ts';
import { registerSettings } from './settings-routes.ts';

/** Logging in and out, and what is a person's own: the same on both surfaces. */
export function registerAccessPages(app: WebApp, deps: AccessPageDeps): void {
  registerLogin(app, deps);
  registerLoginCode(app, deps);
  registerPasskeyLogin(app, deps);
  registerProvider(app, deps);
  registerSessions(app, deps);
  registerSettings(app, deps);
  registerPasskeys(app, deps);
  registerAddress(app, deps);
  registerKeepAddress(app, deps);
}
