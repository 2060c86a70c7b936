import type { App } from '../../deps.ts';
import { listErrors } from './list.ts';

export function registerErrors(app: App): void {
  listErrors(app);
}
