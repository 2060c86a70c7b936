import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fundEveryCurrency,
  onboardCustomer,
} from '../../../src/modules/customers/onboard-customer.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { DEFAULT_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { createSandboxBank, type SandboxBank } from '../../../src/sandbox/bank/sandbox-bank.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { startHangingServer, type HangingServer } from '../../support/hanging-server.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { createTestPartner } from '../../support/workflow/test-partner.ts';
import { signLiveAccess } from '../../support/test-customer.ts';
import { sampleSecret } from '../../support/sample-secrets.ts';

const LIVE_SECRET = sampleSecret('live callbacks');
/** A tenth of the slots that payments have, so that a tenth of the payments fills them. */
const SLOTS = DEFAULT_SLOTS.map((slots) => {
  const isPayments = Object.values<string>(TASK_QUEUES.payments).includes(slots.taskQueue);
  if (!isPayments || slots.workflows === null) return slots;
  const workflows = { ...slots.workflows, tasks: slots.workflows.tasks / 10 };
  // Each poll holds a slot while nothing comes.
  return { ...slots, activities: slots.activities / 10, workflows, polls: 2 };
});
/** Fewer than hang where every slot of the environment's payments is taken, and more than connections. */
const MANY = 8;
const KYC_SLOTS = 10;

let testBank: HangingServer;
let testKyc: HangingServer;
let liveBank: SandboxBank;
let engine: Engine;
beforeAll(async () => {
  testBank = await startHangingServer();
  testKyc = await startHangingServer();
  liveBank = await createSandboxBank({
    journalFile: null,
    callbackSecret: LIVE_SECRET,
    callbackUrl: 'http://127.0.0.1:9/',
    clock: { now: () => new Date() },
    log: { info: () => undefined, warn: () => undefined },
    magic: false,
    timings: { decideAfterMs: 300, returnAfterMs: 300, statementEveryMs: 600_000 },
  });
  await liveBank.listen(0);
  engine = await startEngine({
    TEST_BANK_URL: testBank.url,
    TEST_KYC_URL: testKyc.url,
    LIVE_BANK_URL: liveBank.url,
    LIVE_ALLOW_INSECURE_LOOPBACK: 'true',
    LIVE_BANK_CALLBACK_SECRET: LIVE_SECRET,
    // So patient that no slot comes free while the test runs.
    DATABASE_CONNECTIONS_MAX: '5',
    TEST_BANK_TIMEOUT_MS: '50000',
    TEST_ATTEMPT_DEADLINE_MS: '55000',
  });
  await engine.startWorkers({}, SLOTS);
});
afterAll(async () => {
  await Promise.all([testBank.close(), testKyc.close()]);
  await engine.close();
  await liveBank.close();
});

describe('while what is outside hangs in test', () => {
  it('40 payments at the bank delay neither the reconciler nor a live payment', async () => {
    const to = await engine.addApprovedBeneficiary();
    const live = await addLivePartner();
    const liveTo = await live.addApprovedBeneficiary();
    await Promise.all(Array.from({ length: 40 }, () => engine.pay(to, '10.00')));
    await expect.poll(testBank.opened).toBeGreaterThan(MANY);

    await engine.run('sweep');
    const { id } = await live.pay(liveTo, '10.00');
    await live.untilPayment(id, 'COMPLETED');
    // Every one of them still holds its slot.
    expect(testBank.givenUp()).toBe(0);
    expect(testBank.opened()).toBeLessThan(40);
  });

  it('15 checks at the KYC provider do not delay the reconciler', async () => {
    const endUserIds = await Promise.all(Array.from({ length: 15 }, () => engine.addEndUser()));
    await Promise.all(
      endUserIds.map((endUserId) => engine.call('POST', `/end-users/${endUserId}/kyc`, {})),
    );
    await expect.poll(testKyc.opened).toBeGreaterThanOrEqual(KYC_SLOTS);
    await engine.run('sweep');
    // The provider is given up after ten seconds: until then every slot is taken.
    expect(testKyc.givenUp()).toBe(0);
  });
});

async function addLivePartner() {
  const { resources } = engine;
  const scope = { customerId: newId('cus'), environment: 'live' } as const;
  await onboardCustomer(resources, { id: scope.customerId, name: 'Sample' });
  await engine.peopleDb.system((tx) => signLiveAccess(tx, resources.vault, scope.customerId));
  await fundEveryCurrency(resources, scope);
  const { token } = await engine.peopleDb.system((tx) =>
    addApiKey(tx, resources.vault, { ...scope, approvedRanges: ['127.0.0.1/32'] }),
  );
  return createTestPartner(engine.apiUrl, token, scope, (endUserId) =>
    approveEndUser(resources.db, scope, endUserId, new Date()),
  );
}
