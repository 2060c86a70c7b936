import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the bench reads of a local run's state.json, as src/cli/dev writes it. */
export interface EngineState {
  readonly apiUrl: string;
  readonly testApiKey: string;
  readonly temporalAddress: string;
  /** A role that sees everything. */
  readonly databaseUrl: string;
  /** By the part's name; null where it is not one of the local run's own. */
  readonly pids: Readonly<Record<string, number | null>>;
}

/** The state of the local run in a data folder; null while it has not started, or is gone. */
export function readEngineState(dataDir: string): EngineState | null {
  const file = join(dataDir, 'state.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EngineState) : null;
}
