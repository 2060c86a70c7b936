import { describe, expect, it } from 'vitest';
import { createNameList } from '../../../src/domain/parties/screening/name-list.ts';
import { THRESHOLD_PERCENT } from '../../support/test-screening.ts';
import { hitsOf, isHitIn } from '../../support/parties/shipped.ts';

const FIRST =
  'Anna Maria Sofia Emma Laura Julia Sarah Lena Fatima Aisha Mei Yuki Priya Olga Irina Ingrid Chloe Amara Ngozi Ana Samuel Daniel David Michael Thomas Peter Paul Ivan Karim Ahmed Omar Wei Hiroshi Raj Carlos Jose Luis Pedro Kofi Kwame Erik Lars Jan Piotr Marco Luca Jean Pierre John James'.split(
    ' ',
  );
const LAST =
  'Smith Jones Brown Taylor Wilson Müller Schmidt Schneider Fischer Weber Garcia Martinez Lopez Rossi Russo Ferrari Bianchi Dubois Moreau Laurent Ivanov Petrov Smirnova Kowalski Nowak Horvat Nagy Yilmaz Kaya Haddad Mansour Hassan Khan Singh Patel Sharma Kim Lee Park Chen Wang Tanaka Suzuki Okafor Mensah Diallo Santos Silva Oliveira Sanchez Santoro Sandoval Samson Hansen Nilsson Trading'.split(
    ' ',
  );

describe('ordinary names', () => {
  it('hit no entry in the sandbox: 2,800 first and last names together', () => {
    const hits = FIRST.flatMap((first) =>
      LAST.flatMap((last) => (hitsOf(`${first} ${last}`).length > 0 ? [`${first} ${last}`] : [])),
    );
    expect(FIRST.length * LAST.length).toBeGreaterThan(2_500);
    expect(hits).toEqual([]);
  });

  it.each([
    ...['Sanctioned', 'Sam', 'Sam Santoro', 'Pam Sanctions', 'Tom Sanctioned', 'Samantha Sanders'],
    ...['Enlisted Trading Ltd', 'Trading Ltd', 'Listed Ltd', 'Shipping and Chartering GmbH'],
    ...['Permitted Shipping and Chartering GmbH', 'Listed Building Repairs Ltd'],
  ])('that are like a listed one in part are not it: %s', (name) => {
    expect(hitsOf(name)).toEqual([]);
  });

  it.each([
    ...[
      'Ivan Petrov',
      'Mr Ivan',
      'Dr Ivan Petrov',
      'Ivan',
      'Mr Sidorov',
      'B. Sidorov',
      'Sidorov X',
    ],
    ...['Ivan Sidorenko', 'Peter Sidorov', 'Ivan X', 'Sheikh Petrovich', 'I. P. Jones', 'Ivan Jr'],
  ])('share a first or a last name with Ivan Petrovich Sidorov and are others: %s', (name) => {
    expect(isHitIn({ kind: 'PERSON', names: ['Ivan Petrovich Sidorov'] }, name)).toBe(false);
  });

  it.each([
    ['S. Sidorov', 'B. Sidorov'],
    ['Haji Karim', 'Karim Ahmed'],
    ['Haji Karim', 'Karim'],
    ['Rosoboronexport', 'Ivan Rosoboronexport'],
  ])('are not %s, a person: %s', (listed, name) => {
    expect(isHitIn({ kind: 'PERSON', names: [listed] }, name)).toBe(false);
  });

  it.each([
    ['OOO Listed Metals', 'OOO Other Metals'],
    ['OOO Listed Metals', 'Joint Stock Company Metals'],
    ['Joint Stock Company Listed Metals', 'Joint Stock Company Other Goods'],
    ['Listed International Trading', 'Sample International Trading Ltd'],
    ['Public Metals', 'Metals Ltd'],
    ['Metals', 'Metals of Berlin'],
    ['Rosoboronexport', 'Other Export OOO'],
    ['Al Co', 'Al Smith'],
    ['The Company Ltd', 'The Sample'],
    ['De', 'De Vries'],
  ])('share a common word or the form with the company %s: %s', (listed, name) => {
    expect(isHitIn({ kind: 'ENTITY', names: [listed] }, name)).toBe(false);
  });

  it('are not taken for one of 400 other ordinary names', () => {
    const listed = FIRST.slice(0, 20).flatMap((first, at) =>
      LAST.slice(0, 20).map((last, nth) => ({
        id: `${String(at)}-${String(nth)}`,
        kind: 'PERSON' as const,
        names: [`${first} ${last}`],
        datesOfBirth: [],
      })),
    );
    const list = createNameList(listed);
    const isHit = (name: string) =>
      list.screen([{ reference: 'r', kind: 'PERSON', names: [name] }], THRESHOLD_PERCENT).length >
      0;
    expect(isHit('Maria Smith')).toBe(true);
    const others = FIRST.slice(20).flatMap((first) =>
      LAST.slice(20).map((last) => `${first} ${last}`),
    );
    expect(others.filter(isHit)).toEqual([]);
  });
});
