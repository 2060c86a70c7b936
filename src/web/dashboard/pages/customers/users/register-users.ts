import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { serveInviteUser } from './invite-user.tsx';
import { serveLostPasskeys } from './lost-passkeys.ts';
import { serveUserActs } from './user-acts.ts';
import { serveUser } from './user-page.tsx';
import { serveUsers } from './users-page.tsx';

/** /users and everything below it. */
export function registerUsers(app: WebApp, deps: DashboardDeps): void {
  serveUsers(app, deps);
  serveInviteUser(app, deps);
  serveUser(app, deps);
  serveUserActs(app, deps);
  serveLostPasskeys(app, deps);
}
