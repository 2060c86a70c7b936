import type { App, HttpDeps } from '../../deps.ts';
import { createPayment } from './create.ts';
import { getPayment } from './get.ts';
import { listPayments } from './list.ts';
import { getPaymentTimeline } from './timeline.ts';

export function registerPayments(app: App, deps: HttpDeps): void {
  createPayment(app, deps);
  listPayments(app, deps);
  getPayment(app, deps);
  getPaymentTimeline(app, deps);
}
