import { spawn } from 'node:child_process';

/** What a receiver of the guide is started with. */
export interface ReceiverSettings {
  readonly port: number;
  /** As WEBHOOK_SECRETS has them: separated by a blank. */
  readonly secrets: string;
  /** Where the endpoint's public keys are, for the receiver that holds no secret. */
  readonly keysUrl?: string;
}

/** A receiver of the guide that was started. */
export interface StartedReceiver {
  /** The lines that it wrote: one for each webhook that it took. */
  readonly taken: () => string[];
  /** Whether it has ended by itself. */
  readonly hasEnded: () => boolean;
  /** Resolves once nothing of it runs any more. */
  readonly stop: () => Promise<void>;
}

/** Starts a receiver as a process that knows nothing but its settings. */
export const startProgram =
  (command: (settings: ReceiverSettings) => readonly string[]) =>
  (settings: ReceiverSettings): StartedReceiver => {
    const [program = '', ...args] = command(settings);
    const child = spawn(program, args, {
      env: {
        PATH: process.env['PATH'],
        PORT: String(settings.port),
        WEBHOOK_SECRETS: settings.secrets,
        WEBHOOK_KEYS_URL: settings.keysUrl,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    return {
      taken: () => output.split('\n').filter((line) => line !== ''),
      hasEnded: () => hasEnded,
      stop: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
