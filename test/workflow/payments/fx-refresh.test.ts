import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
});
afterAll(() => engine.close());

it('rates are there once the workflow has run, and a second run changes nothing', async () => {
  const count = async () =>
    Number((await engine.sql('SELECT count(*)::int AS n FROM fx_rates'))[0]?.['n']);
  expect(await count()).toBe(0);
  await engine.run('fxRefresh');
  const stored = await count();
  expect(stored).toBeGreaterThanOrEqual(46);
  await engine.run('fxRefresh');
  expect(await count()).toBe(stored);
  const { data } = await engine.call<{ data: unknown[] }>('GET', '/fx-rates?quote=EUR,GBP');
  expect(data).toHaveLength(2);
});
