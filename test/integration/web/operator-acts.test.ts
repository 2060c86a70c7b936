import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/ops/run-command-line.ts';
import { ACTS } from '../../../src/modules/operations/acts/acts.ts';
import { commandOf, pageOf } from '../../../src/modules/operations/acts/operator-act.ts';
import { WRITTEN_OUT_ACTS } from '../../../src/modules/operations/acts/written-out-acts.ts';
import { startSite } from '../../support/web/site.ts';
import { withRoutes } from '../../support/web/registered-routes.ts';

/** Commands that change nothing of the engine. */
const READING = [
  // The second writes a file.
  ...['approvals list', 'approvals export'],
  ...['audit export', 'chain check', 'chain gas', 'chain keys list', 'chain accounts'],
  ...[
    'chain reconcile',
    'chain recover',
    'chain dust',
    'chain set-aside',
    'chain stops',
    'credits list',
  ],
  ...[
    'credits show',
    'erasures list',
    'exceptions list',
    'exceptions show',
    'exceptions suggest',
    'fx positions',
    'mails unsent',
    'operators list',
    // Writes a file.
    'operators init',
  ],
  ...['payments find', 'payments late-returns', 'payments show', 'payments stuck'],
  ...['release list', 'restore status', 'screening list', 'secrets status'],
];

/** What a person does about their own account. */
const isOwnAccount = (right: string): boolean =>
  ['public', 'any-person'].includes(right) || right.startsWith('write-own-');

const program = createProgram(
  {
    defaultOperator: 'ada',
    readEnv: () => ({}),
    print: () => undefined,
    run: () => Promise.resolve(),
  },
  { out: () => undefined, error: () => undefined },
);

function leavesOf(command: CommandUnknownOpts, before: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [before.join(' ')];
  return command.commands.flatMap((one) => leavesOf(one, [...before, one.name()]));
}

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

it('every act has one name, and says why where a surface has it not', () => {
  const names = [...ACTS, ...WRITTEN_OUT_ACTS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, page, command } of ACTS) {
    expect(typeof page === 'string' || page.none.length > 0, name).toBe(true);
    expect('line' in command || command.none.length > 0, name).toBe(true);
    expect(typeof page === 'string' || 'line' in command, name).toBe(true);
  }
});

it('every command that changes something is of the table, and every act has its command', () => {
  const lines = ACTS.flatMap((act) => commandOf(act)?.line ?? []);
  const writtenOut = WRITTEN_OUT_ACTS.map(({ line }) => line.replace(' --all', ''));
  expect(sorted(leavesOf(program))).toEqual(sorted([...lines, ...writtenOut, ...READING]));
});

it('every form of the console is of the table, with its right, and every act has its form', async () => {
  const { made, routes } = await withRoutes(() => startSite('console'));
  await made.close();
  const forms = routes.filter(({ method, right }) => method === 'POST' && !isOwnAccount(right));
  expect(sorted(forms.map(({ url, right }) => `${url} ${right}`))).toEqual(
    sorted(
      ACTS.flatMap((act) => (pageOf(act) === null ? [] : [`${pageOf(act) ?? ''} ${act.right}`])),
    ),
  );
});

it('an act that two decide is proposed, whatever it is about', () => {
  for (const { name, decidedBy, submit } of ACTS) {
    expect(submit.startsWith('Propose'), name).toBe(decidedBy === 'TWO');
  }
});
