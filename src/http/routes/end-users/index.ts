import type { App, HttpDeps } from '../../deps.ts';
import { createEndUser } from './create.ts';
import { getEndUser } from './get.ts';
import { listEndUsers } from './list.ts';

export function registerEndUsers(app: App, deps: HttpDeps): void {
  createEndUser(app, deps);
  getEndUser(app, deps);
  listEndUsers(app, deps);
}
