// Runs every `check:*` script of package.json, two at a time, and prints what failed. Exit code 0 only where all passed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The longest first, so that none is waited for at the end. */
const FIRST = ['check:lint', 'check:types', 'check:imports', 'check:format'];
const AT_ONCE = 2;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const all = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const waiting = [...FIRST, ...all.filter((name) => !FIRST.includes(name))];
const failed = [];

const run = (name) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(`${code === 0 ? 'passed' : 'FAILED'} ${name} (${seconds} s)`);
      if (code !== 0) failed.push({ name, said });
      resolve();
    });
  });

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const { name, said } of failed) console.log(`\n==> npm run ${name}\n${said}`);
process.exitCode = failed.length > 0 ? 1 : 0;
