import type { App, HttpDeps } from '../../deps.ts';
import { listBalances } from './list.ts';

export function registerBalances(app: App, deps: HttpDeps): void {
  listBalances(app, deps);
}
