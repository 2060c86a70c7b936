import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { exchange } from '../../../src/adapters/http/exchange.ts';

it('a process that froze while it connected writes nothing once it thaws', async () => {
  let aborted = false;
  const controller = { abort: () => (aborted = true) } as unknown as Dispatcher.DispatchController;
  // A frozen process hears of its connection before its own timers have fired.
  const dispatcher = {
    dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
      const thawAt = performance.now() + 60;
      while (performance.now() < thawAt);
      handler.onRequestStart?.(controller, {});
      return true;
    },
  } as unknown as Dispatcher;
  const request = {
    origin: 'http://bank.invalid',
    path: '/transfers/CWA01',
    method: 'PUT',
  } as const;
  const outcome = await exchange(dispatcher, { ...request, timeoutMs: 30, bodyBytesMax: 1_024 });
  expect(outcome).toEqual({ kind: 'NOT_SENT', why: 'CONNECT_TIMEOUT' });
  expect(aborted).toBe(true);
});
