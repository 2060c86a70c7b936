import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { createKeyForm } from './create.tsx';
import { showKey } from './detail.tsx';
import { listKeysPage } from './list.tsx';
import { newKeyForm } from './new.tsx';
import { proposeAddressForm } from './propose-address.tsx';
import { removeAddressForm } from './remove-address.tsx';
import { revokeKeyForm } from './revoke.tsx';
import { rotateKeyForm } from './rotate.tsx';

const PAGES = [
  ...[listKeysPage, newKeyForm, createKeyForm, showKey, rotateKeyForm, revokeKeyForm],
  ...[proposeAddressForm, removeAddressForm],
];

/** Every page of keys and their addresses. */
export function registerKeys(app: WebApp, deps: DashboardDeps): void {
  for (const register of PAGES) register(app, deps);
}
