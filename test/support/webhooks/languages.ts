import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NeededProgram } from '../needs-program.ts';
import { startProgram, type ReceiverSettings, type StartedReceiver } from './start-program.ts';
import { startShellReceiver } from './start-shell-receiver.ts';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../../docs/examples/webhooks');

/** A language that the guide has a receiver in. */
export interface Language {
  readonly name: string;
  /** The file of docs/examples/webhooks. */
  readonly file: string;
  /** The program that runs it, other than Node. */
  readonly needs?: NeededProgram;
  /** Makes a program of it, where one is needed; once, before the first start. */
  readonly build?: () => Promise<void>;
  readonly start: (settings: ReceiverSettings) => StartedReceiver;
}

/** Where the program that was built from Go's file lies, once it was. */
let built: string | null = null;
const goProgram = () => join(built ?? '', 'receiver');

const inNode = (name: string, file: string): Language => ({
  ...{ name, file },
  start: startProgram(() => [process.execPath, '--import', 'tsx', join(FOLDER, file)]),
});

export const LANGUAGES: readonly Language[] = [
  inNode('TypeScript', 'receiver.ts'),
  inNode('TypeScript with standardwebhooks', 'receiver-standardwebhooks.ts'),
  {
    ...{ name: 'Python', file: 'receiver.py', needs: 'python3' },
    start: startProgram(() => ['python3', '-B', join(FOLDER, 'receiver.py')]),
  },
  {
    ...{ name: 'Go', file: 'receiver.go', needs: 'go' },
    build: async () => {
      built = mkdtempSync(join(tmpdir(), 'causeway-test-examples-'));
      await run('go', ['build', '-o', goProgram(), join(FOLDER, 'receiver.go')]);
    },
    start: startProgram(() => [goProgram()]),
  },
  {
    ...{ name: 'PHP', file: 'receiver.php', needs: 'php' },
    start: startProgram(({ port }) => [
      'php',
      ...[
        '-d',
        'display_errors=0',
        '-S',
        `127.0.0.1:${String(port)}`,
        join(FOLDER, 'receiver.php'),
      ],
    ]),
  },
  {
    ...{ name: 'shell', file: 'verify.sh', needs: 'openssl' },
    start: startShellReceiver(join(FOLDER, 'verify.sh')),
  },
];

/** The one that needs no secret: other things are promised of it. */
export const PUBLIC_KEY_RECEIVER = inNode('TypeScript with public keys', 'receiver-public-key.ts');

export function removeBuilt(): void {
  if (built !== null) rmSync(built, { recursive: true, force: true });
}
