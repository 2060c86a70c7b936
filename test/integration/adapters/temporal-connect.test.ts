import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { connectLazily } from '../../../src/adapters/temporal/connect.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';

it('a connection that is closed while a call is about to be repeated ends no process', async () => {
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const address = `127.0.0.1:${String(await freePort())}`;
  const { connection } = connectLazily({ namespace: 'none', connection: { address } });
  const asked = connection
    .withDeadline(Date.now() + 2_000, () => connection.workflowService.getSystemInfo({}))
    .catch(() => 'no answer');
  // Refused at once, and to be repeated after a tenth of a second and more.
  await pause(50);
  await connection.close();
  expect(await asked).toBe('no answer');
  await pause(500);
  expect(thrown).toEqual([]);
});
