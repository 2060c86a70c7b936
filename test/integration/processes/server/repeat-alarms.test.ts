import { expect, it } from 'vitest';
import { repeatAlarms } from '../../../../src/server/runtime/repeat-alarms.ts';
import { createTestClock } from '../../../support/test-clock.ts';

it('an alarm is told at once, and again only every 10 minutes, whatever else is told', () => {
  const clock = createTestClock();
  const told: { kind: string }[] = [];
  const alarm = repeatAlarms<{ kind: string }>(clock, (one) => void told.push(one));
  alarm({ kind: 'STALLED' });
  alarm({ kind: 'STALLED' });
  alarm({ kind: 'REVERTED' });
  expect(told).toEqual([{ kind: 'STALLED' }, { kind: 'REVERTED' }]);
  clock.advance(10 * 60_000);
  alarm({ kind: 'STALLED' });
  expect(told).toHaveLength(3);
});

it('an alarm that only measures something else is the same one', () => {
  const told: unknown[] = [];
  const alarm = repeatAlarms<object>(createTestClock(), (one) => void told.push(one));
  const first = { kind: 'LOW_GAS', address: '0x1', coins: '9', enough: '10' };
  alarm(first);
  alarm({ ...first, coins: '8', enough: '11' });
  alarm({ ...first, address: '0x2' });
  expect(told).toEqual([first, { ...first, address: '0x2' }]);
});
