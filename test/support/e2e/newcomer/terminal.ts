import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A shell that blocks are pasted into. */
interface Terminal {
  /** Runs a block, and answers how long that took in ms. Throws what was written where it fails. */
  readonly paste: (block: string) => Promise<number>;
  /** All that was written so far. */
  readonly written: () => string;
  /** Ends the shell and what it has started. */
  readonly close: () => void;
}

/** Opens a shell in a folder, for so long at most. It ends at the first command that fails. */
export function openTerminal(folder: string, msMax: number): Terminal {
  const path = join(folder, 'terminal.txt');
  // A file: what a reader's terminal shows can be opened by name, a socket cannot.
  const output = openSync(path, 'a');
  const child = spawn('sh', ['-eu'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    // Through the fourth it says when a block is over.
    stdio: ['pipe', output, output, 'pipe'],
    detached: true,
    timeout: msMax,
  });
  closeSync(output);
  const input = child.stdio[0]!;
  const over = child.stdio[3] as Readable;
  const ended = once(child, 'exit');
  const written = () => readFileSync(path, 'utf8');
  return {
    async paste(block) {
      writeFileSync(join(folder, 'block.sh'), block);
      const from = performance.now();
      input.write('. ./block.sh </dev/null; echo over >&3\n');
      const isOver = once(over, 'data').then(() => true);
      if (!(await Promise.race([isOver, ended.then(() => false)]))) {
        throw new Error(`a block failed: ${block}\n${written().slice(-2_000)}`);
      }
      return performance.now() - from;
    },
    written,
    close() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nothing of it runs any more.
      }
    },
  };
}
