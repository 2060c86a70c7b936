// Starts a part of a run on the folder, says its id, and is gone without ending it.
import { spawn } from 'node:child_process';
import { runMark } from '../../../../src/local/embedded/run-mark.ts';

const [folder = '', script = ''] = process.argv.slice(2);
const part = spawn(process.execPath, ['-e', script], {
  detached: true,
  env: runMark(folder),
  stdio: ['ignore', 'ignore', 'ignore'],
});
console.log(part.pid);
process.exit(0);
