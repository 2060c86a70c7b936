import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hitsOf, isHitIn } from '../../support/parties/shipped.ts';

describe('a listed name is found however it is written', () => {
  it.each([
    ['swapped', 'Sanctioned Sam'],
    ['with a comma, in capitals', 'SANCTIONED, SAM'],
    ['with blanks doubled and around', '  Sam   Sanctioned '],
    ['with other blanks', 'Sam\u00a0\u2003Sanctioned'],
    ['spelled with dots', 'S.a.m S.a.n.c.t.i.o.n.e.d'],
    ['spelled with blanks', 'S a m  S a n c t i o n e d'],
    ['spelled with hyphens', 'Sam S-a-n-c-t-i-o-n-e-d'],
    ['the surname apart', 'Sam Sanct ioned'],
    ['in one', 'SamSanctioned'],
    ['in one, swapped', 'SANCTIONEDSAM'],
    ['with zero-width characters', 'S\u200ba\u200cm\u200d San\u2060ct\ufeffioned'],
    ['with marks of direction', '\u202eSam\u202c Sanc\u200ftioned'],
    ['with soft hyphens', 'Sam Sanc\u00adtion\u00aded'],
    ['with accents', 'Sám Sånctîönéd'],
    ['with stacked accents', 'S\u0336a\u0336m\u0336 S\u0301\u0302\u0303anctioned'],
    ['in full width', 'Ｓａｍ Ｓａｎｃｔｉｏｎｅｄ'],
    ['in mathematical letters', '𝕊𝕒𝕞 𝓢𝓪𝓷𝓬𝓽𝓲𝓸𝓷𝓮𝓭'],
    ['with Cyrillic look-alikes', 'Ѕаm Ѕаnсtіоnеd'],
    ['with Greek look-alikes', 'Sαm Sanctιοned'],
    ['with digits for letters', '5am 54nct10ned'],
    ['with an initial', 'S. Sanctioned'],
    ['with an initial behind', 'Sanctioned S'],
    ['with a name between', 'Sam Peter Sanctioned'],
    ['with a title', 'Dr. Sam Sanctioned'],
    ['with letters swapped', 'Sam Sacntioned'],
    ['with a letter too few', 'Sam Sanctoned'],
    ['with a letter too many', 'Sam Sanctionned'],
  ])('%s', (_how, name) => {
    expect(hitsOf(name)).toContain('sandbox-1');
  });

  it('with a middle name left out', () => {
    expect(hitsOf('Ivan Sanctioned')).toContain('sandbox-2');
  });

  it.each([
    'كريم المحظور',
    'كريم محظور',
    'Kareem al-Mahzoor',
    'Karim El Mahzour',
    'Karim Almahzur',
  ])('in another script and transliteration: %s', (name) => {
    expect(hitsOf(name)).toContain('sandbox-4');
  });

  it.each([
    'Listed Trading',
    'LISTED TRADING LLC',
    'Listed-Trading Co., Ltd.',
    'Listed Trading (Asia)',
  ])('of a company with another form, also where it says that it is a person: %s', (name) => {
    expect(hitsOf(name, { kind: 'ENTITY' })).toContain('sandbox-5');
    expect(hitsOf(name, { kind: 'PERSON' })).toContain('sandbox-5');
  });

  it.each([
    'JSC Rosoboronexport',
    'The Rosoboronexport',
    'The JSC Rosoboronexport',
    'Rosoboronexport Moscow',
    'Rosoboronexport OOO',
    'O.O.O. Rosoboronexport',
    'Public Joint Stock Company Rosoboronexport',
    'ООО Rosoboronexport',
  ])('of a company of one long word: %s', (name) => {
    expect(isHitIn({ kind: 'ENTITY', names: ['Rosoboronexport'] }, name)).toBe(true);
  });

  it.each([
    ['OOO Listed Metals', 'Listed Metals'],
    ['OOO Listed Metals', 'Listed Metals d.o.o.'],
    ['Listed Metals OOO', 'LLC Listed Metals'],
    ['Open Joint Stock Company Listed Metals', 'Listed Metals'],
    ['Listed Metals & Co. KG', 'Metals Listed'],
    ['JSC Rosoboronexport', 'Rosoboronexport'],
    ['Joint Stock Company Rosoboronexport', 'Rosoboronexport Ltd'],
  ])('whichever form it is listed with, at either end: %s, %s', (listed, name) => {
    expect(isHitIn({ kind: 'ENTITY', names: [listed] }, name)).toBe(true);
  });

  it.each([
    'Mr Ivan Sidorov',
    'Dr Ivan Sidorov',
    'Prof. Dr. Ivan Sidorov',
    'Ivan de Sidorov',
    'Ivan Sidorov Jr',
    'Ivan Sidorov III',
    'Ivan Sidorov X',
    'Ivan X. Sidorov',
    'Sheikh Ivan al Sidorov',
    'I. Sidorov',
  ])('with a name left out and words put in that are none: %s', (name) => {
    expect(isHitIn({ kind: 'PERSON', names: ['Ivan Petrovich Sidorov'] }, name)).toBe(true);
  });

  it.each([
    ['Haji Karim Sidorov', 'Karim Sidorov'],
    ['Sayed Karim', 'Sayed Peter Karim'],
    ['Haji Karim', 'Haji Karim'],
    ['Dr Ivan Petrovich Sidorov', 'Mr Ivan Sidorov'],
  ])('that is listed with a title, or with a name like one: %s, %s', (listed, name) => {
    expect(isHitIn({ kind: 'PERSON', names: [listed] }, name)).toBe(true);
  });

  it.each(['de ', 'x ', 'de la ', 'abcd ', '\ufdfa '])(
    'behind as many words as fit: %j',
    (word) => {
      const filled = word.repeat(Math.floor((201 - 'Sam Sanctioned'.length) / word.length));
      expect(hitsOf(`${filled}Sam Sanctioned`)).toContain('sandbox-1');
      expect(hitsOf(`Sam ${filled}Sanctioned`)).toContain('sandbox-1');
    },
  );

  it('with whatever is invisible, in any case and order of its words', () => {
    const invisible = fc.constantFrom(
      '',
      '\u200b',
      '\u200d',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u0301',
    );
    const letters = Array.from('sam sanctioned');
    fc.assert(
      fc.property(
        fc.array(invisible, { minLength: letters.length, maxLength: letters.length }),
        fc.array(fc.boolean(), { minLength: letters.length, maxLength: letters.length }),
        fc.boolean(),
        (noise, capitals, isSwapped) => {
          const hidden = letters
            .map(
              (letter, at) => `${capitals[at] ? letter.toUpperCase() : letter}${noise[at] ?? ''}`,
            )
            .join('');
          const words = hidden.split(' ');
          const name = (isSwapped ? words.toReversed() : words).join(' ');
          expect(hitsOf(name)).toContain('sandbox-1');
        },
      ),
    );
  });

  it('with any one letter of the surname wrong, missing or too many', () => {
    const surname = 'sanctioned';
    for (let at = 0; at < surname.length; at += 1) {
      const [before, after] = [surname.slice(0, at), surname.slice(at + 1)];
      for (const wrong of [
        `${before}x${after}`,
        `${before}${after}`,
        `${before}x${surname.slice(at)}`,
      ]) {
        expect(hitsOf(`Sam ${wrong}`), wrong).toContain('sandbox-1');
      }
    }
  });
});

describe('a date of birth', () => {
  const born = (dateOfBirth: string) => hitsOf('Dana Sanctioned', { dateOfBirth });
  it('that both have and that is years apart tells two people apart', () => {
    expect(born('1970-12-31')).toContain('sandbox-3');
    expect(born('1971-01-01')).toContain('sandbox-3');
    expect(born('1972-01-01')).not.toContain('sandbox-3');
  });

  it('that one of them lacks excludes no hit', () => {
    expect(hitsOf('Dana Sanctioned')).toContain('sandbox-3');
    expect(hitsOf('Sam Sanctioned', { dateOfBirth: '2001-01-01' })).toContain('sandbox-1');
  });
});

it('a name of any kind and length is looked up without end or fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      expect(Array.isArray(hitsOf(name))).toBe(true);
    }),
    { numRuns: 30 },
  );
  for (const name of ['', ' ', '\u200b', '.', 'a'.repeat(400), 'sam '.repeat(100), '习近平']) {
    expect(hitsOf(name)).toEqual([]);
  }
});
