import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { listAddresses } from './list.tsx';
import { showAddress } from './show.tsx';

/** Pages of addresses that wait for two operators. */
export function registerAddresses(app: WebApp, deps: ConsoleDeps): void {
  for (const register of [listAddresses, showAddress]) register(app, deps);
}
