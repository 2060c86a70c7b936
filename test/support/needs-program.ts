import type { TestContext } from 'vitest';
import { findOnPath } from '../../src/cli/embedded/temporal-cli.ts';

/** What brings a program that some tests run. */
const BRING_PROGRAM = {
  go: 'install Go from https://go.dev/dl',
  openssl: 'apt-get install openssl',
  php: 'apt-get install php-cli',
  python3: 'apt-get install python3',
  curl: 'apt-get install curl',
  promtool: 'apt-get install prometheus',
} as const;

export type NeededProgram = keyof typeof BRING_PROGRAM;

export const hasProgram = (name: NeededProgram): boolean =>
  findOnPath(name, process.env['PATH']) !== null;

/** Skips a test that needs a program, where PATH has none. */
export function needsProgram(context: TestContext, name: NeededProgram): void {
  if (!hasProgram(name)) needs(context, name, BRING_PROGRAM[name]);
}

/** Skips a test for what is not here, and says what brings it. With CI_NO_SKIPS=1 the test fails instead. */
export function needs(context: TestContext, what: string, bringIt: string): never {
  const note = `there is no ${what} here: ${bringIt}`;
  if (process.env['CI_NO_SKIPS'] === '1') throw new Error(`${note} (CI_NO_SKIPS=1)`);
  return context.skip(note);
}
