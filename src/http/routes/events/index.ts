import type { App, HttpDeps } from '../../deps.ts';
import { getEvent } from './get.ts';
import { listEvents } from './list.ts';

export function registerEvents(app: App, deps: HttpDeps): void {
  listEvents(app, deps);
  getEvent(app, deps);
}
