import type { EngineState } from '../engine/engine-state.ts';
import type { Part } from './usage.ts';

/** The parts of an engine by the names that state.json gives them; API and worker may be one. */
export function engineParts({ pids }: EngineState): Part[] {
  const isOne = pids['api'] === pids['worker'];
  return Object.entries(pids).flatMap(([name, pid]) => {
    // `npm run dev` itself only watches.
    if (pid === null || name === 'dev' || (isOne && name === 'worker')) return [];
    return [{ name: isOne && name === 'api' ? 'engine' : name, pid }];
  });
}
