import { expect, it } from 'vitest';
import { actorText, systemActor } from '../../../src/domain/actor.ts';

it('the text of an actor names its kind first, so that two kinds never share a text', () => {
  expect(actorText({ kind: 'API_KEY', id: 'key_1' })).toBe('api-key:key_1');
  expect(actorText({ kind: 'USER', id: 'usr_1' })).toBe('user:usr_1');
  expect(actorText({ kind: 'OPERATOR', name: 'system:settlement' })).toBe(
    'operator:system:settlement',
  );
  expect(actorText(systemActor('settlement'))).toBe('system:settlement');
});
