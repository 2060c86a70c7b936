import { expect, it } from 'vitest';
import { DEFAULT_SLOTS } from '../../src/temporal/worker-slots.ts';
import { TASK_QUEUES } from '../../workflows/task-queues.ts';

it('every task queue has a worker, and all polls fit one connection of 100 streams beside the calls', () => {
  const names = Object.values(TASK_QUEUES).flatMap((queue) =>
    typeof queue === 'string' ? [queue] : Object.values(queue),
  );
  expect(DEFAULT_SLOTS.map(({ taskQueue }) => taskQueue).sort()).toEqual(names.sort());
  const polls = DEFAULT_SLOTS.map((slots) => slots.polls * (slots.workflows === null ? 1 : 2));
  expect(polls.reduce((sum, one) => sum + one, 0)).toBeLessThan(80);
});
