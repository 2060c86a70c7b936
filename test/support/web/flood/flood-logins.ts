import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';
import type { FloodOrder, FloodReport } from './flood-order.ts';

const SENDER = join(import.meta.dirname, 'programs/send-logins.ts');

/** Floods a login from a process of its own, so that the sender's work is not taken for the site's. */
export function floodLogins(order: FloodOrder) {
  const sender = spawn(process.execPath, programArguments(SENDER), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] },
  });
  sender.send(order);
  return {
    /** Waits for the answers that are under way. */
    async stop(): Promise<FloodReport> {
      const reported = once(sender, 'message');
      sender.send('stop');
      const [report] = (await reported) as [FloodReport];
      return report;
    },
    /** Ends it where the test did not come so far. */
    kill: () => sender.kill('SIGKILL'),
  };
}
