import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunScope } from '../scope.ts';
import { isAlive } from '../processes/proc.ts';
import { engineEnvironment, type EngineSettings } from './engine-environment.ts';
import { inNamesOf } from './setting-names.ts';
import { readEngineState, type EngineState } from './engine-state.ts';
import { startGroup, type ProcessGroup } from './process-group.ts';

/** A fresh checkout builds its workflow bundle first, and may have to fetch Temporal. */
const START_MS_MAX = 300_000;
/** The engine gives its parts 35 s each. */
const STOP_MS_MAX = 120_000;
const LOOK_EVERY_MS = 50;

/** A running engine. Nothing is known of it but what its users and operators see. */
export interface Engine {
  readonly state: EngineState;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The checkout that it was started from. */
  readonly folder: string;
}

/**
 * Starts a checkout as a user does, with `npm run dev`, in a new data folder of its own. The scope
 * stops it, sees that nothing is left of it, and removes the folder.
 * @throws Error with the engine's last lines where it does not start.
 */
export async function startEngine(
  scope: RunScope,
  folder: string,
  settings: Omit<EngineSettings, 'dataDir'>,
): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  scope.defer(() => {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = inNamesOf(folder, engineEnvironment(process.env, { ...settings, dataDir }));
  const group = startGroup('npm', ['run', 'dev'], { cwd: folder, env });
  let state: EngineState | null = null;
  scope.defer(() => stopEngine(group, () => state ?? readEngineState(dataDir)));
  const deadline = performance.now() + START_MS_MAX;
  for (state = null; state === null; state = readEngineState(dataDir)) {
    if (scope.signal.aborted) throw new Error('stopped');
    if (group.hasExited() || performance.now() > deadline) {
      throw new Error(`the engine of ${folder} did not start:\n${group.lastLines().join('\n')}`);
    }
    await pause(LOOK_EVERY_MS);
  }
  return { state, dataDir, env, folder };
}

/**
 * Asks once and waits: a second signal would end `npm run dev` with its servers left running. What is
 * left after that (there should be nothing) is killed by its number.
 */
async function stopEngine(group: ProcessGroup, lastState: () => EngineState | null): Promise<void> {
  const pids = lastState()?.pids ?? {};
  const { dev } = pids;
  // npm hands a signal on, so the engine would hear a signal to all of them several times.
  if (typeof dev === 'number' && isAlive(dev)) process.kill(dev, 'SIGTERM');
  else group.signal('SIGTERM');
  const isGone = await group.untilGone(STOP_MS_MAX);
  if (!isGone) group.signal('SIGKILL');
  const left = Object.values(pids).filter((pid): pid is number => pid !== null && isAlive(pid));
  for (const pid of left) process.kill(pid, 'SIGKILL');
  if (!isGone || left.length > 0)
    throw new Error('the engine did not stop by itself and was killed');
}
