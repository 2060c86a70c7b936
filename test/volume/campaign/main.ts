import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Argument, Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { runMain } from '../../../src/server/runtime/run-main.ts';
import { CAMPAIGN_NAMES, CAMPAIGNS, type CampaignName } from './campaigns.ts';

const REPORTS = 'test/volume/campaign/reports';

const readCount = (text: string): number => {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

const program = new Command('npm run campaign --')
  .description(
    `Plays one test at its full size and writes ${REPORTS}/NAME.md.\n\n${CAMPAIGN_NAMES.map(
      (name) => `${name}: ${CAMPAIGNS[name].about}`,
    ).join('\n')}`,
  )
  .addArgument(new Argument('<name>', 'what to play').choices(CAMPAIGN_NAMES))
  .option(
    '--seed <number>',
    'decides every choice; the next round takes the next number',
    readCount,
    1,
  )
  .option('--minutes <count>', 'begins another round until so many minutes are over', readCount, 0);

interface Round {
  readonly seed: number;
  readonly seconds: number;
  readonly passed: boolean;
}

/** One run of the campaign's files, in a process of its own; what it prints goes to the terminal. */
async function play(name: CampaignName, seed: number): Promise<Round> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project=volume*', ...CAMPAIGNS[name].files],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CAMPAIGN: name, CAMPAIGN_SEED: String(seed), CI_NO_SKIPS: '1' },
    },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { seed, seconds, passed: code === 0 };
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', 'src', 'workflows', 'activities') !== '';
    return `${git('rev-parse', 'HEAD')}${isChanged ? ', with uncommitted changes' : ''}`;
  } catch {
    return 'not a git checkout';
  }
}

function renderReport(name: CampaignName, rounds: readonly Round[]): string {
  const rows = rounds.map(
    ({ seed, seconds, passed }) =>
      `| ${String(seed)} | ${String(seconds)} | ${passed ? 'passed' : 'FAILED'} |`,
  );
  return [
    `# Campaign: ${name}`,
    '',
    `${CAMPAIGNS[name].about}.`,
    '',
    `- Commit: ${commit()}`,
    `- Machine: ${String(availableParallelism())} processors, Node ${process.versions.node}`,
    `- Files: ${CAMPAIGNS[name].files.join(', ')}`,
    '',
    '| seed | seconds | outcome |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

runMain(async () => {
  program.parse(process.argv.slice(2), { from: 'user' });
  const [name] = program.processedArgs;
  const { seed, minutes } = program.opts();
  const endAt = performance.now() + minutes * 60_000;
  const rounds: Round[] = [];
  do {
    rounds.push(await play(name, seed + rounds.length));
    mkdirSync(REPORTS, { recursive: true });
    writeFileSync(`${REPORTS}/${name}.md`, renderReport(name, rounds));
  } while (rounds.at(-1)?.passed === true && performance.now() < endAt);
  return rounds.every(({ passed }) => passed) ? 0 : 1;
});
