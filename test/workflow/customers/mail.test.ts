import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHostileRelay } from '../../support/customers/hostile-relay.ts';
import { until } from '../../support/until.ts';
import { smtpTo, writeCode, writeNotice } from '../../support/workflow/engine-mails.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

let relay: Awaited<ReturnType<typeof startHostileRelay>>;
let engine: Engine;
beforeAll(async () => {
  relay = await startHostileRelay();
  engine = await startEngine(smtpTo(relay.port));
  await engine.startWorkers();
});
afterEach(() => {
  relay.behave(null);
});
afterAll(async () => {
  await engine.close();
  await relay.close();
});

const start = (id: string) => engine.resources.workflows.startMail(id, 'req_1');
const sent = () => relay.bodies.map((body) => /^Message-ID: <([^@]+)@/m.exec(body)?.[1] ?? '');
const statusOf = async (id: string) =>
  (await engine.sql('SELECT status, contents FROM mails WHERE id = $1', [id]))[0];
const tried = () => until('a try', () => (relay.commands.length > 0 ? true : null));

describe('the workflow of a mail', () => {
  it('tries again until the relay takes it, and Temporal learns neither code nor address', async () => {
    relay.commands.length = 0;
    relay.behave({ at: 'RCPT', answer: '451 4.7.1 planted@leak.example: come later' });
    const id = await writeCode(engine, '90417263', 'planted@leak.example');
    await start(id);
    await tried();
    relay.behave(null);
    const history = await engine.historyOf(`mail/${id}`);
    expect(sent().filter((one) => one === id)).toHaveLength(1);
    expect(relay.bodies.find((body) => body.includes(id))).toContain('9041 7263');
    expect(await statusOf(id)).toEqual({ status: 'SENT', contents: null });
    const told = JSON.stringify(history) + historyToJSON(history);
    const decoded = told.replace(/"([A-Za-z0-9+/]{8,}={0,2})"/g, (_all, base64: string) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    );
    expect(decoded).toContain(id);
    for (const plain of ['planted', 'leak.example', '90417263', '9041 7263']) {
      expect(told + decoded).not.toContain(plain);
    }
  });

  it('ends where the relay refuses for good, and where a second start finds it over', async () => {
    relay.behave({ at: 'RCPT', answer: '550 no such user' });
    const id = await writeNotice(engine);
    await start(id);
    await engine.historyOf(`mail/${id}`);
    relay.behave(null);
    await start(id);
    await engine.historyOf(`mail/${id}`);
    expect(await statusOf(id)).toEqual({ status: 'FAILED', contents: null });
    expect(sent()).not.toContain(id);
  });

  it('is started by the reconciler where its start was lost', async () => {
    const id = await writeNotice(engine);
    await engine.run('sweep');
    await engine.historyOf(`mail/${id}`);
    expect(sent().filter((one) => one === id)).toHaveLength(1);
  });

  it('sends no code that expired while the relay was down', async () => {
    relay.commands.length = 0;
    relay.behave({ at: 'GREETING', drop: true });
    const id = await writeCode(engine, '11223344', 'late@leak.example', 1_500);
    await start(id);
    await engine.historyOf(`mail/${id}`);
    expect(await statusOf(id)).toEqual({ status: 'EXPIRED', contents: null });
    expect(sent()).not.toContain(id);
  });

  it('outlives a relay that is down and workers that end: every mail arrives', async () => {
    relay.behave({ at: 'GREETING', answer: '421 closing' });
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await writeNotice(engine));
    // A start that Temporal does not take within 2 s is the reconciler's.
    await Promise.all(ids.map((id) => start(id).catch(() => undefined)));
    await engine.stopWorkers();
    await engine.startWorkers();
    await engine.stopWorkers();
    relay.behave(null);
    await engine.startWorkers();
    await engine.run('sweep');
    await until(
      () => `all of ${String(ids.length)}, not ${String(sent().length)}`,
      () => (ids.every((id) => sent().includes(id)) ? true : null),
    );
    await until('their records', async () => {
      const [now] = await engine.sql(
        `SELECT count(*)::int AS open FROM mails WHERE status = 'WAITING' AND id = ANY($1)`,
        [ids],
      );
      return now?.['open'] === 0 ? true : null;
    });
    expect(new Set(sent()).size).toBe(sent().length);
  });
});
