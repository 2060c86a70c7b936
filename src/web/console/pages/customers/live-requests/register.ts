import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { DECLINE, PROPOSE, WITHDRAW } from './acts.ts';
import { serveLiveRequests } from './list.tsx';
import { serveLiveAct } from './serve-live-act.tsx';
import { serveLiveRequest } from './show.tsx';

/** Customers who ask for live access, and what becomes of it. */
export function registerLiveRequests(app: WebApp, deps: ConsoleDeps): void {
  serveLiveRequests(app, deps);
  serveLiveRequest(app, deps);
  for (const act of [PROPOSE, DECLINE]) serveLiveAct(app, deps, act);
  serveLiveAct(app, deps, WITHDRAW);
}
