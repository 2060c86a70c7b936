import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { createEndpoint } from './create.tsx';
import { showDelivery } from './delivery.tsx';
import { showWebhook } from './detail.tsx';
import { editEndpoint } from './edit.tsx';
import { listWebhooks } from './list.tsx';
import { redeliver } from './redeliver.ts';
import { removeEndpoint } from './remove.ts';
import { replayWebhooks } from './replay.ts';
import { rotateSecret } from './rotate.ts';
import { testWebhook } from './test.tsx';
import { turnEndpoint } from './turn.ts';

/** Every page of webhook endpoints. */
export function registerWebhooks(app: WebApp, deps: DashboardDeps): void {
  for (const register of [
    ...[listWebhooks, createEndpoint, showWebhook, editEndpoint, turnEndpoint, removeEndpoint],
    ...[rotateSecret, testWebhook, replayWebhooks, showDelivery, redeliver],
  ]) {
    register(app, deps);
  }
}
