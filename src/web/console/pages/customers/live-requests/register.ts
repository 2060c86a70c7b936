import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { DECLINE, PROPOSE, WITHDRAW } from './acts.ts';
import { registerLiveRequests } from './list.tsx';
import { serveLiveAct } from './serve-live-act.tsx';
import { registerLiveRequest } from './detail.tsx';

/** Customers who ask for live access, and what becomes of it. */
export function registerLiveRequestPages(app: WebApp, deps: ConsoleDeps): void {
  registerLiveRequests(app, deps);
  registerLiveRequest(app, deps);
  for (const act of [PROPOSE, DECLINE]) serveLiveAct(app, deps, act);
  serveLiveAct(app, deps, WITHDRAW);
}
