import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { registerAddresses } from './list.tsx';
import { registerAddress } from './detail.tsx';

/** Pages of addresses that wait for two operators. */
export function registerAddressPages(app: WebApp, deps: ConsoleDeps): void {
  for (const register of [registerAddresses, registerAddress]) register(app, deps);
}
