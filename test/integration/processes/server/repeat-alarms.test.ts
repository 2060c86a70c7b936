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
