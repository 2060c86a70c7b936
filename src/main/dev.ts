import { runMain } from '../runtime/run-main.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { describeStack } from '../local/dev/describe-stack.ts';
import { startDevStack } from '../local/dev/dev-stack.ts';

runMain(async () => {
  const asked = untilSignal(['SIGINT', 'SIGTERM', 'SIGHUP']);
  const started = startDevStack({
    env: process.env,
    progress: (line) => {
      console.log(line);
    },
    onLine: (line) => {
      console.log(line);
    },
  });
  const stack = await started;
  console.log(describeStack(stack.state));
  await asked;
  console.log('\nStopping everything');
  await stack.stop();
  return 0;
});
