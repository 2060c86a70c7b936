import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../until.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const LISTEN = join(import.meta.dirname, '../../../src/cli/listen.ts');

/** One webhook as `--json` prints it. */
export interface PrintedWebhook {
  readonly verified: boolean;
  readonly reason?: string;
  readonly delayMs?: number;
  readonly event?: {
    readonly id: string;
    readonly type: string;
    readonly resource: { id: string };
  };
  readonly forwarded?: { readonly status: number | null; readonly error: string | null } | null;
}

/** `npm run listen` as a process of its own. */
export function startListening(dataDir: string, args: readonly string[], env: object = {}) {
  const child = spawn(process.execPath, [...programArguments(LISTEN), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const listening = {
    out: () => out,
    error: () => error,
    /** Everything that it has written. */
    all: () => out + error,
    /** Resolves with its exit code, null where a signal ended it. */
    ended: closed.then(([code]) => code),
    end: (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return listening.ended;
    },
    /** Stops reading what it prints, as `| head` does. */
    stopReading: () => child.stdout.destroy(),
    /** Resolves with its endpoint's id once it listens. */
    ready: (): Promise<string> =>
      until(
        () => `the listener: ${listening.all()}`,
        () => {
          if (child.exitCode !== null) throw new Error(`it has ended: ${listening.all()}`);
          return listening.all().includes('Press Ctrl-C to stop')
            ? /Listening as (whe_\w+)/.exec(listening.all())?.[1]
            : null;
        },
      ),
    webhooks: (): PrintedWebhook[] =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as PrintedWebhook),
    /** Waits for a webhook that it has printed. */
    untilPrinted: (isMeant: (webhook: PrintedWebhook) => boolean): Promise<PrintedWebhook> =>
      until(
        () => `a webhook that is meant: ${listening.all()}`,
        () => listening.webhooks().find(isMeant),
      ),
  };
  return listening;
}

export type Listening = ReturnType<typeof startListening>;
