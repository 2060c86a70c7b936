import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { serveLiveRequests } from './list.tsx';
import { serveLiveRequest } from './show.tsx';

/** Customers who ask for live access. */
export function registerLiveRequests(app: WebApp, deps: ConsoleDeps): void {
  serveLiveRequests(app, deps);
  serveLiveRequest(app, deps);
}
