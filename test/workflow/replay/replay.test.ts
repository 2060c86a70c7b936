import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { loadWorkflowBundle } from '../../../src/server/temporal/workflow-bundle.ts';
import { silenceSdk } from '../../support/temporal.ts';

const FOLDER = join(import.meta.dirname, 'histories');

interface Stored {
  readonly workflowId: string;
  readonly events: object[];
}

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Stored;
/** The people and accounts of the recording, and signs of the machine that it was made on. */
const PERSONAL = /Sample|DE89|021000021|1234567890|\d@|\/home\/|\/work\/|node_modules/;
const NAMES = readdirSync(FOLDER).sort();

silenceSdk();

/** Names of the histories that the given code does not replay, with the reason. */
async function findRefused(
  names: readonly string[],
  workflowBundle: WorkflowBundle,
): Promise<Record<string, string>> {
  const stored = names.map(read);
  const histories = stored.map(({ workflowId, events }) => ({ workflowId, history: { events } }));
  const refused: Record<string, string> = {};
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    histories,
  )) {
    replayed += 1;
    const name = names[stored.findIndex((one) => one.workflowId === workflowId)] ?? workflowId;
    if (error !== undefined) refused[name] = error.name;
  }
  expect(replayed).toBe(names.length);
  return refused;
}

/** Bundles a fixture; `said` gets what the bundler complains of. */
const bundle = (fixture: string, said: string[] = []) =>
  bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'fixtures', fixture),
    logger: new DefaultLogger('ERROR', ({ message }) => said.push(message)),
  });

/** Today's code, whose payment waits before its first step: no history of before replays with it. */
function withOneMoreStep(code: string): string {
  const [before = '', after = '', ...more] = code.split('async function payment(');
  expect([after === '', more]).toEqual([false, []]);
  const wait = 'await new Promise((go) => setTimeout(go, 1000));';
  const changed = `async function payment(ref) { ${wait} return unchanged(ref); } `;
  return `${before}${changed}async function unchanged(${after}`;
}

describe('the workflow code', () => {
  it.each([
    ['without stacks', false],
    ['with stacks', true],
  ])(
    'replays every stored history %s: a deploy does not break what is under way',
    async (_, withStacks) => {
      expect(NAMES.length).toBeGreaterThanOrEqual(14);
      const file = inject('workflowBundleFile');
      expect(await findRefused(NAMES, await loadWorkflowBundle({ file, withStacks }))).toEqual({});
    },
  );

  it('with one more step is refused by every history of its workflow, and by no other', async () => {
    const file = inject('workflowBundleFile');
    const { code } = await loadWorkflowBundle({ file, withStacks: false });
    const refused = await findRefused(NAMES, { code: withOneMoreStep(code) });
    const payments = NAMES.filter((name) => /^payment-(?!follow-up|batch)/.test(name));
    expect(payments.length).toBeGreaterThanOrEqual(5);
    expect(Object.keys(refused).sort()).toEqual(payments);
    expect(new Set(Object.values(refused))).toEqual(new Set(['DeterminismViolationError']));
  });

  it('cannot be bundled with a module that reads files or the network', async () => {
    const said: string[] = [];
    await expect(bundle('reads-a-file.ts', said)).rejects.toThrow('Webpack finished with errors');
    expect(said.join('\n')).toContain('node:fs');
  });
});

describe('the stored histories', () => {
  it.each(NAMES)('%s holds no machine and nothing personal', (name) => {
    const told = [...textsIn(read(name))];
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((text) => PERSONAL.test(text))).toEqual([]);
  });

  it('are of every workflow that there is', () => {
    const code = readFileSync(join(FOLDER, '../../../../workflows/index.ts'), 'utf8');
    const exported = [...code.matchAll(/export \{ (.+) \}/g)].flatMap(([, names = '']) =>
      names.split(', '),
    );
    const recorded = NAMES.map((name) => JSON.stringify(read(name).events[0]));
    const missing = exported.filter(
      (type) => !recorded.some((first) => first.includes(`"workflowType":{"name":"${type}"}`)),
    );
    expect(missing).toEqual([]);
  });
});

/** Every text of a stored history; payloads are base64 there. */
function* textsIn(value: unknown, key = ''): Generator<string> {
  if (typeof value === 'string') {
    yield key === 'data' ? Buffer.from(value, 'base64').toString('utf8') : value;
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, name);
  }
}
