import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPANIES, startCompanyCheck } from '../../../src/modules/customers/live/company.ts';
import { kycCheckRef } from '../../../src/modules/parties/kyc/start-kyc.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { createSandboxKyc, type SandboxKyc } from '../../../src/sandbox/kyc/sandbox-kyc.ts';
import { createGoingLive, SAMPLE_COMPANY } from '../../support/going-live.ts';
import { sampleSecret } from '../../support/sample-secrets.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

const LIVE_SECRET = sampleSecret('live callbacks');

let engine: Engine;
let liveKyc: SandboxKyc;
beforeAll(async () => {
  const port = await freePort();
  liveKyc = await createSandboxKyc({
    journalFile: null,
    callbackSecret: LIVE_SECRET,
    callbackUrl: `http://127.0.0.1:${String(port)}/api/v1/kyc/callbacks`,
    clock: { now: () => new Date() },
    log: { info: () => undefined, warn: () => undefined },
    timings: { reviewAfterMs: 30, decideAfterMs: 30, revokeAfterMs: 300 },
  });
  await liveKyc.listen(0);
  engine = await startEngine({
    PORT: String(port),
    LIVE_KYC_URL: liveKyc.url,
    LIVE_KYC_CALLBACK_SECRET: LIVE_SECRET,
    LIVE_ALLOW_INSECURE_LOOPBACK: 'true',
  });
  await engine.startWorkers();
});
afterAll(async () => {
  await engine.close();
  await liveKyc.close();
});

it.each([
  ['Approve', 'APPROVED'],
  ['Reject', 'REJECTED'],
])(
  'a company for which %s stands is %s by the workflow and provider of end-users',
  async (lastName, status) => {
    const { clock, vault } = engine.resources;
    const going = createGoingLive(engine.peopleDb, clock, vault);
    const { customerId, ownerId } = await going.newCustomer();
    const { business } = SAMPLE_COMPANY;
    const persons = business.persons.map((person) => ({ ...person, lastName }));
    await going.say(customerId, ownerId, { ...SAMPLE_COMPANY, business: { ...business, persons } });
    const act = { customerId, userId: ownerId };
    const { check } = await engine.peopleDb.write(COMPANIES, (tx) =>
      startCompanyCheck(going.deps, tx, act, 'http://dashboard.localhost/going-live'),
    );
    await engine.resources.workflows.startKycCheck(kycCheckRef(COMPANIES, check), 'req_1');
    await expect
      .poll(async () => (await going.standing(customerId)).company?.kycStatus)
      .toBe(status);
  },
);
