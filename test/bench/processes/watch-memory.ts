import type { RunScope } from '../scope.ts';
import { readMemory } from './proc.ts';

const LOOK_EVERY_MS = 100;

export interface MemoryWatch {
  /** Ends the watch: what the process held at its start and at the most, in bytes. */
  stop(): { readonly startBytes: number; readonly peakBytes: number };
}

/** Looks at a process's memory ten times a second. */
export function watchMemory(scope: RunScope, pid: number): MemoryWatch {
  const startBytes = readMemory(pid);
  let peakBytes = startBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readMemory(pid));
  }, LOOK_EVERY_MS);
  scope.defer(() => {
    clearInterval(timer);
  });
  return {
    stop() {
      clearInterval(timer);
      return { startBytes, peakBytes };
    },
  };
}
