import { afterAll, beforeAll, expect, it } from 'vitest';
import { onboardCustomer } from '../../../../src/modules/customers/onboard-customer.ts';
import { withdrawLiveAccess } from '../../../../src/modules/customers/live/narrow-live-access.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import { seedLiveAccess } from '../../../../src/cli/dev/seed-live-access.ts';
import { seedDemoPeople } from '../../../../src/cli/dev/demo-people.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestScreener } from '../../../support/test-screening.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { createTwoOperators } from '../../../support/two-operators.ts';

const ID = 'cus_00000000000000000000000000';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('the demo customer goes live as any customer does: asked once, by two operators, and not again once withdrawn', async () => {
  const clock = createTestClock();
  const { deps } = createTwoOperators(database.people, clock);
  const { screener } = createTestScreener({ ...deps, db: database.people });
  const seeding = { ...deps, corridors: createCorridorTable(), screener };
  await onboardCustomer(seeding, { id: ID, name: 'Demo Partner Ltd' });
  const operators = (await seedDemoPeople(seeding, ID)).approvers;
  await seedLiveAccess(seeding, ID, operators);
  await seedLiveAccess(seeding, ID, (await seedDemoPeople(seeding, ID)).approvers);
  const rows = <Row extends object>(text: string) =>
    database.people.system((tx) => tx.query<Row>(text));
  expect(await rows('SELECT live_access FROM customers WHERE id <> $$cus_platform$$')).toEqual([
    { live_access: true },
  ]);
  expect(
    await rows(
      `SELECT a.action, a.proposed_by AS first, a.decided_by AS second FROM approvals a
       JOIN approval_uses u ON u.approval_id = a.id ORDER BY a.seq`,
    ),
  ).toEqual([
    { action: 'KYC_OVERRIDE', ...operators },
    { action: 'LIVE_ACCESS', ...operators },
  ]);
  const act = { operator: operators.first, reason: 'a test' };
  await database.people.system((tx) => withdrawLiveAccess(deps, tx, ID, act));
  await seedLiveAccess(seeding, ID, operators);
  expect(await rows('SELECT count(*)::int AS live FROM customers WHERE live_access')).toEqual([
    { live: 0 },
  ]);
});
