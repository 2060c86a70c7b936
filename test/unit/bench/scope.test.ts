import { expect, it } from 'vitest';
import { openScope } from '../../bench/scope.ts';

it('everything that was opened is closed, newest first, whatever fails on the way', async () => {
  const done: string[] = [];
  const troubles: unknown[] = [];
  const scope = openScope(new AbortController().signal, (trouble) => troubles.push(trouble));
  scope.defer(() => void done.push('first'));
  scope.defer(() => {
    throw new Error('stuck');
  });
  scope.child().defer(() => void done.push('of a child'));
  scope.defer(() => void done.push('last'));
  await scope.close();
  await scope.close();
  expect(done).toEqual(['last', 'of a child', 'first']);
  expect(troubles).toEqual([new Error('stuck')]);
});

it('what is opened after the end is closed by the next call', async () => {
  const done: string[] = [];
  const scope = openScope(new AbortController().signal, () => undefined);
  await scope.close();
  scope.defer(() => void done.push('late'));
  await scope.close();
  expect(done).toEqual(['late']);
});
