import { ConfigError } from '../config/settings.ts';
import { PlainError } from './plain-error.ts';

/**
 * Runs a program to its end. What a person did wrong is said in a sentence and ends with exit code 1;
 * anything else is a fault of ours and keeps its stack.
 */
export function runMain(main: () => Promise<number | undefined>): void {
  main().then(
    (code) => {
      process.exitCode = code ?? 0;
      // Whatever still holds the loop open (a pooled socket) must not keep the program from ending.
      process.exit();
    },
    (error: unknown) => {
      const isPlain = error instanceof PlainError || error instanceof ConfigError;
      console.error(isPlain ? `\n${error.message}` : error);
      process.exit(1);
    },
  );
}
