import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../../src/web/docs/parts/code-samples.tsx';
import type { OpenApi } from '../../../src/web/docs/reference/open-api.ts';
import { readReference } from '../../../src/web/docs/reference/reference.ts';
import { sampleRequest } from '../../../src/web/docs/samples/sample-request.ts';
import { needsProgram } from '../../support/needs-program.ts';
import { ROOT } from '../../support/docs/markdown.ts';
import { DOCUMENT } from '../../support/web/sample-document.ts';

const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenApi;
const operations = [...readReference(document), ...readReference(DOCUMENT)].flatMap(
  (tag) => tag.operations,
);
const samples = operations.flatMap((operation) =>
  samplesOf(sampleRequest(operation), 'https://pay.example.com').map((sample) => ({
    ...sample,
    id: operation.id,
  })),
);
const textsOf = (language: string) => samples.filter((sample) => sample.language === language);

const PARSE_ALL_PYTHON = `
import ast, json, sys
for sample in json.load(sys.stdin):
    ast.parse(sample["text"], sample["id"])
`;

/** What the compiler says of programs that import the client as partners do. */
function problemsOf(programs: readonly { readonly id: string; readonly text: string }[]): string[] {
  const files = new Map(
    programs.map(({ id, text }) => [join(ROOT, `sample-${id}.ts`), text] as const),
  );
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
    lib: ['lib.es2023.d.ts'],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    paths: { 'causeway/client': [join(ROOT, 'src/api/client/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, target) => {
      const text = files.get(path);
      if (text === undefined) return host.getSourceFile(path, target);
      return ts.createSourceFile(path, text, target, true);
    },
  });
  return [...files.keys()].flatMap((path) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(path))
      .map((one) => `${path}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`),
  );
}

/** Of createQuote, with a method and with a field that are not there. */
function brokenSamples() {
  const [sample] = textsOf('typescript').filter(({ id }) => id === 'createQuote');
  const text = sample?.text ?? '';
  return [text.replace('.create(', '.make('), text.replace('create({', 'create({ x: 1,')].map(
    (broken, index) => ({
      id: `broken-${String(index)}`,
      text: broken,
      isChanged: broken !== text,
    }),
  );
}

describe('the samples of every operation', () => {
  it('are there in each language', () => {
    expect(textsOf('bash').length).toBe(operations.length);
    expect(textsOf('python').length).toBe(operations.length);
    // Callbacks of banks and KYC providers are no business of the client's.
    const without = operations.filter(({ tag }) => tag === 'Provider callbacks').length;
    expect(textsOf('typescript').length).toBe(operations.length - without);
  });

  it('in TypeScript fit the client, and a method or a field that is not there is found', () => {
    // The made-up document's operation is none of the client's.
    const known = textsOf('typescript').filter(({ id }) => id !== 'updateThing');
    const broken = brokenSamples();
    expect(broken.map(({ isChanged }) => isChanged)).toEqual([true, true]);
    const problems = problemsOf([...known, ...broken]);
    const [ofKnown, ofBroken] = [false, true].map((isBroken) =>
      problems.filter((problem) => problem.includes('/sample-broken-') === isBroken),
    );
    expect(ofKnown).toEqual([]);
    expect(ofBroken).toHaveLength(broken.length);
  });

  it('for a shell parse', () => {
    const script = textsOf('bash').map(({ text }) => text);
    expect(execFileSync('sh', ['-n'], { input: script.join('\n') }).toString()).toBe('');
  });

  it('in Python parse', (context) => {
    needsProgram(context, 'python3');
    const input = JSON.stringify(textsOf('python'));
    expect(execFileSync('python3', ['-c', PARSE_ALL_PYTHON], { input }).toString()).toBe('');
  });

  it('hold no key, and none in an address', () => {
    for (const { text } of samples) expect(text).not.toMatch(/cw_(test|live)_/);
  });
});
