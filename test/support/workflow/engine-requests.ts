import { askForAccess } from '../../../src/modules/customers/access/ask-for-access.ts';
import {
  approveAccessRequest,
  declineAccessRequest,
} from '../../../src/modules/customers/access/decide-access-request.ts';
import { addTestOperator } from '../test-people.ts';
import type { Engine } from './engine-harness.ts';

const DAY_MS = 24 * 3_600_000;

/** Requests for access of an engine, and an operator who decides about them; also some days ago. */
export async function createRequests({ resources, peopleDb, sql }: Engine) {
  const operator = await addTestOperator({ ...resources, people: peopleDb }, 'COMPLIANCE');
  const before = (days: number) => ({
    ...resources,
    dashboardUrl: 'http://dashboard.localhost:8081',
    clock: { now: () => new Date(resources.clock.now().getTime() - days * DAY_MS) },
  });
  return {
    ask: (address: string, daysAgo = 0): Promise<string> => {
      const told = { company: 'Plantedcompany', name: 'Plantedname', purpose: 'Plantedpurpose' };
      return peopleDb.system((tx) => askForAccess(before(daysAgo), tx, { ...told, address }));
    },
    wake: (requestId: string) => resources.workflows.wakeOnboarding({ requestId }, 'req_1'),
    decide: (act: 'approve' | 'decline', requestId: string, daysAgo = 0) => {
      const order = { requestId, operatorId: operator.id };
      return peopleDb.system((tx) =>
        act === 'approve'
          ? approveAccessRequest(before(daysAgo), tx, order)
          : declineAccessRequest(before(daysAgo), tx, { ...order, reason: 'OTHER' }),
      );
    },
    rowOf: async (id: string) =>
      (await sql('SELECT * FROM access_requests WHERE id = $1', [id]))[0] ?? {},
  };
}

export type Requests = Awaited<ReturnType<typeof createRequests>>;
