import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { registerLiveRequests } from './list.tsx';
import { registerLiveRequest } from './detail.tsx';

/** Customers who ask for live access. */
export function registerLiveRequestPages(app: WebApp, deps: ConsoleDeps): void {
  registerLiveRequests(app, deps);
  registerLiveRequest(app, deps);
}
