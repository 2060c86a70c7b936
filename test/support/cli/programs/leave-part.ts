// Starts parts of runs, one on each folder, says their ids, and is gone without ending them.
import { spawn } from 'node:child_process';
import { runMark } from '../../../../src/cli/embedded/run-mark.ts';

const given = process.argv.slice(2);
for (let at = 0; at < given.length; at += 2) {
  const [folder = '', script = ''] = given.slice(at);
  const part = spawn(process.execPath, ['-e', script], {
    detached: true,
    env: runMark(folder),
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  console.log(part.pid);
}
process.exit(0);
