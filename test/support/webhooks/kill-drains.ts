import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { until } from '../until.ts';
import { startReceiver } from './receiver.ts';
import { createWebhookHarness } from './webhook-harness.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const PROGRAM = fileURLToPath(new URL('../server/programs/drain-endpoint.ts', import.meta.url));
/** Recorded before each kill; they outnumber what is sent at a time. */
const EVENTS_A_KILL = 30;

/**
 * Kills the process that delivers, with SIGKILL and in the middle of a batch, so many times; a last one
 * delivers the rest. Checks that nothing is lost, that each event keeps its id and body, and that
 * every delivery verifies with the independent library.
 */
export async function killDrains(kills: number): Promise<{ readonly sentTwice: number }> {
  const [harness, receiver] = await Promise.all([createWebhookHarness(), startReceiver()]);
  const { scope, url } = harness;
  const { id, secret } = await harness.addEndpoint(receiver.url);
  let child: ChildProcess | undefined;
  const start = () => {
    const args = [url, scope.customerId, scope.environment, id];
    // The channel ends it with this process, however that goes.
    child = spawn(process.execPath, [...programArguments(PROGRAM), ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return child;
  };
  const ended = (one: ChildProcess) =>
    new Promise<NodeJS.Signals | null>((resolve) => {
      one.once('exit', (_code, signal) => {
        resolve(signal);
      });
    });
  try {
    for (let kill = 0; kill < kills; kill++) {
      for (let n = 0; n < EVENTS_A_KILL; n++) {
        await harness.record(`pay_${String(n)}`, kill + 1);
      }
      const victim = start();
      const end = ended(victim);
      // Somewhere in the batch, elsewhere each time; what else has arrived gets no answer.
      let left = 1 + ((kill * 7) % (EVENTS_A_KILL - 1));
      receiver.answer = (_request, response) => {
        left -= 1;
        if (left === 0) victim.kill('SIGKILL');
        if (left > 0) response.writeHead(204).end();
      };
      expect(await end).toBe('SIGKILL');
    }
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const isPending = async () =>
      (await harness.deliveries(id)).some(({ status }) => status === 'PENDING');
    const last = start();
    const end = ended(last);
    await until('the last delivery', async () => ((await isPending()) ? null : true));
    last.kill('SIGKILL');
    await end;

    const deliveries = await harness.deliveries(id);
    expect(deliveries).toHaveLength(kills * EVENTS_A_KILL);
    for (const { status } of deliveries) expect(status).toBe('DELIVERED');
    const bodies = new Map<string, string>();
    for (const one of receiver.received) {
      new Webhook(secret).verify(one.body, {
        'webhook-id': one.id,
        'webhook-timestamp': one.timestamp,
        'webhook-signature': one.signature,
      });
      expect(JSON.parse(one.body)).toMatchObject({ id: one.id });
      expect(bodies.get(one.id) ?? one.body).toBe(one.body);
      bodies.set(one.id, one.body);
    }
    expect([...bodies.keys()].toSorted()).toEqual(
      deliveries.map(({ eventId }) => eventId).toSorted(),
    );
    return { sentTwice: receiver.received.length - bodies.size };
  } finally {
    child?.kill('SIGKILL');
    await receiver.close();
    await harness.close();
  }
}
