import { PlainError } from '../../src/server/runtime/plain-error.ts';
import { findTemporalCli } from '../../src/cli/embedded/temporal-cli.ts';

/** Finds or fetches the Temporal CLI before a project starts anything. Where there is none, the run ends at once. */
export default async function setUp(): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  try {
    await findTemporalCli({ environment: process.env, progress: say });
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    say(`\n${error.message}\n\nNo test ran.`);
    // Nothing has started that would have to be stopped. Vitest would go on to say that there are no test files.
    process.exit(1);
  }
}
