import { describe, expect, it } from 'vitest';
import { numberParameters, valuesInOrder } from '../../../src/db/client/named-parameters.ts';
import { rowSource } from '../../../src/db/client/row-source.ts';

const PARTIES = rowSource('party', { endUserId: 'text', age: 'integer', refs: 'jsonb' });

describe('the rows that a statement takes as arrays', () => {
  it('have one typed array a column, under its name in the table', () => {
    expect(PARTIES.columns).toBe('end_user_id, age, refs');
    expect(PARTIES.sql).toBe(
      'unnest(:party_endUserId::text[], :party_age::integer[], :party_refs::jsonb[])' +
        ' WITH ORDINALITY AS party (end_user_id, age, refs, turn)',
    );
  });

  it('keep their order, and hand over no more than the columns', () => {
    const rows = [
      { endUserId: 'eu_2', age: 2, refs: null, name: 'Ada Sample' },
      { endUserId: 'eu_1', age: 1, refs: null, name: 'Grace Sample' },
    ];
    expect(PARTIES.values(rows)).toEqual({
      party_endUserId: ['eu_2', 'eu_1'],
      party_age: [2, 1],
      party_refs: [null, null],
    });
  });

  it('give jsonb as text, and its absence as NULL', () => {
    const refs = [[{ type: 'X' }], {}, 'text', 0, false, null];
    const values = PARTIES.values(refs.map((one) => ({ endUserId: 'eu_1', age: 1, refs: one })));
    expect(values['party_refs']).toEqual(['[{"type":"X"}]', '{}', '"text"', '0', 'false', null]);
  });

  it('are one prepared text, however many they are', () => {
    const { names } = numberParameters(`SELECT * FROM ${PARTIES.sql}`);
    expect(names).toEqual(['party_endUserId', 'party_age', 'party_refs']);
    expect(valuesInOrder(names, PARTIES.values([]))).toEqual([[], [], []]);
  });

  it('stand beside those of another alias in one statement', () => {
    const others = rowSource('other', { endUserId: 'text' });
    const { names } = numberParameters(`${PARTIES.sql}, ${others.sql}`);
    const values = { ...PARTIES.values([]), ...others.values([{ endUserId: 'eu_1' }]) };
    expect(valuesInOrder(names, values)).toEqual([[], [], [], ['eu_1']]);
  });
});
