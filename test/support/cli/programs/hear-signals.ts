/** Says what it hears, and takes its time to stop until it is told to go on. */
import { untilSignal } from '../../../../src/server/runtime/until-signal.ts';

const asked = untilSignal(['SIGINT'], Number(process.argv[2]));
let presses = 0;
process.on('SIGINT', () => {
  presses += 1;
  console.log('press', presses);
});
process.stdin.resume();
console.log('ready');
await asked;
process.stdin.once('data', () => {
  console.log('stopped in order');
  process.exit(0);
});
