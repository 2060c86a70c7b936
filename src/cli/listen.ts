import { once } from 'node:events';
import { readEnvironment } from '../server/config/environment.ts';
import { findInstallation } from '../server/config/listen-config.ts';
import { runListenCommand } from './listen/command-line.ts';
import { listen } from './listen/listen.ts';
import { JSON_LINES, textFor } from './listen/render-webhook.ts';
import { runMain } from '../server/runtime/run-main.ts';
import { untilSignal } from '../server/runtime/until-signal.ts';

const isColoured = process.stdout.isTTY && !process.env['NO_COLOR'];

runMain(() => {
  const signal = untilSignal(['SIGINT', 'SIGTERM', 'SIGHUP']);
  // The reader of what is printed has gone (`| head`): no one would see what comes.
  const streams = [process.stdout, process.stderr];
  const unread = Promise.race(streams.map((stream) => once(stream, 'error')));
  for (const stream of streams) stream.on('error', () => undefined);
  return runListenCommand(process.argv.slice(2), {
    findInstallation: (named) => findInstallation(readEnvironment(process.env, 'listen'), named),
    listen: (options) =>
      listen(options, {
        clock: { now: () => new Date() },
        rendering: options.json ? JSON_LINES : textFor({ isColoured }),
        print: (text) => process.stdout.write(`${text}\n`),
        // Beside lines of JSON nothing else may stand.
        say: (text) => (options.json ? process.stderr : process.stdout).write(`${text}\n`),
        asked: Promise.race([signal, unread]),
      }),
    output: {
      out: (text) => process.stdout.write(text),
      error: (text) => process.stderr.write(text),
    },
  });
});
