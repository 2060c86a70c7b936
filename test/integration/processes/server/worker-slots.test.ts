import { expect, it } from 'vitest';
import { ENVIRONMENTS } from '../../../../src/domain/scope.ts';
import { CONNECTIONS_MAX } from '../../../../src/server/runtime/provider-dispatcher.ts';
import {
  CHAIN_SLOTS,
  DEFAULT_SLOTS,
  STARTS_MAX,
} from '../../../../src/server/temporal/worker-slots.ts';
import { TASK_QUEUES } from '../../../../src/domain/workflows/task-queues.ts';

it('every task queue has a worker, and all polls fit one connection of 100 streams beside the calls', () => {
  const names = Object.values(TASK_QUEUES).flatMap((queue) =>
    typeof queue === 'string' ? [queue] : Object.values(queue),
  );
  const slots = [...DEFAULT_SLOTS, ...CHAIN_SLOTS];
  expect(slots.map(({ taskQueue }) => taskQueue).sort()).toEqual(names.sort());
  const polls = DEFAULT_SLOTS.map((slots) => slots.polls * (slots.workflows === null ? 1 : 2));
  expect(polls.reduce((sum, one) => sum + one, 0)).toBeLessThan(80);
});

it('starts of payments leave more than half of the slots of their queue to tasks that are polled for', () => {
  const queues: string[] = Object.values(TASK_QUEUES.payments);
  const payments = DEFAULT_SLOTS.filter(({ taskQueue }) => queues.includes(taskQueue));
  expect(payments).toHaveLength(2);
  for (const { workflows, polls } of payments) {
    // A poll holds a slot, too.
    expect(STARTS_MAX + polls).toBeLessThan((workflows?.tasks ?? 0) / 2);
  }
});

it('no call of a bank waits for a connection while its timeout runs', () => {
  for (const environment of ENVIRONMENTS) {
    const queues: string[] = [
      TASK_QUEUES.payments[environment],
      TASK_QUEUES.reconciliation[environment],
    ];
    const slots = DEFAULT_SLOTS.filter(({ taskQueue }) => queues.includes(taskQueue));
    const calls = slots.map(({ activities, workflows }) => activities + (workflows?.tasks ?? 0));
    expect(calls.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(CONNECTIONS_MAX);
  }
});

it('a worker keeps every workflow in memory that it is at work on, and 1,200 in all', () => {
  const workflows = DEFAULT_SLOTS.flatMap((slots) => slots.workflows ?? []);
  for (const { tasks, cached } of workflows) expect(cached).toBeGreaterThanOrEqual(2 * tasks);
  expect(workflows.reduce((sum, { cached }) => sum + cached, 0)).toBe(1_200);
});
