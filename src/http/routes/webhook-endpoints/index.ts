import type { App, HttpDeps } from '../../deps.ts';
import { createWebhookEndpoint } from './create.ts';
import { deleteWebhookEndpoint } from './delete.ts';
import { getWebhookEndpoint } from './get.ts';
import { listWebhookEndpoints } from './list.ts';

export function registerWebhookEndpoints(app: App, deps: HttpDeps): void {
  createWebhookEndpoint(app, deps);
  listWebhookEndpoints(app, deps);
  getWebhookEndpoint(app, deps);
  deleteWebhookEndpoint(app, deps);
}
