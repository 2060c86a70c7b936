import type { Engine } from './engine-harness.ts';
import type { Beneficiary } from './test-partner.ts';

/**
 * A payment whose sealed bytes for the bank no key opens: `bytes` took their place while a release stop
 * held it. `mend` puts the right ones back.
 */
export async function payWithBrokenBytes(
  engine: Engine,
  to: Beneficiary,
  bytes: string,
  overrides: object = {},
) {
  const [stop] = await engine.sql(
    `INSERT INTO release_stops (environment, customer_id, reason, stopped_by, stopped_at)
     VALUES ('test', $1, 'sample', 'operator:test', now()) RETURNING id`,
    [engine.scope.customerId],
  );
  const paid = await engine.pay(to, '10.00', overrides);
  await engine.untilPayment(paid.id, 'ON_HOLD/RELEASE_STOPPED');
  const ofPayment = 'settlement_attempts WHERE payment_id = $1';
  const [row] = await engine.sql(`SELECT request FROM ${ofPayment}`, [paid.id]);
  const write = (request: unknown) =>
    engine.sql('UPDATE settlement_attempts SET request = $2 WHERE payment_id = $1', [
      paid.id,
      request,
    ]);
  await write(Buffer.from(bytes));
  await engine.sql(
    `UPDATE release_stops SET resumed_at = now(), resumed_by = 'operator:test',
       resume_reason = 'sample' WHERE id = $1`,
    [stop?.['id']],
  );
  await engine.handle(paid.workflowId).signal('wake');
  return { ...paid, mend: () => write(row?.['request']) };
}
