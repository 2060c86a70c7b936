import type { App } from '../../deps.ts';
import { getOpenApi } from './get.ts';

export function registerOpenApi(app: App): void {
  getOpenApi(app);
}
