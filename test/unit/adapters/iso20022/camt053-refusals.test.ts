import { describe, expect, it } from 'vitest';
import {
  entryXml,
  linesOf,
  readAll,
  readUntilError,
  statementXml,
} from '../../../support/adapters/iso20022/statement-reading.ts';

const three = statementXml(
  ['R1', 'R2', 'R3'].map((reference) => entryXml(reference, '1')).join(''),
);

describe('what a statement must not do', () => {
  it.each([
    ['a document type', '<!DOCTYPE Document>'],
    ['an external one', '<!DOCTYPE d SYSTEM "file:///etc/passwd">'],
    ['an entity', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'],
  ])('declare %s', async (_name, doctype) => {
    const { parts, error } = await readUntilError(doctype + three);
    expect(error?.problem).toBe('DTD_REFUSED');
    expect(parts).toEqual([]);
  });

  it('use an entity that XML does not know', async () => {
    const { error } = await readUntilError(statementXml(entryXml('&xxe;', '1')));
    expect(error?.problem).toBe('MALFORMED');
  });

  it('nest without end', async () => {
    const { error } = await readUntilError(statementXml('<a>'.repeat(1000)));
    expect(error?.problem).toBe('TOO_DEEP');
  });

  it.each([
    ['text', statementXml(entryXml('R'.repeat(70_000), '1'))],
    [
      'text in many CDATA sections',
      statementXml(entryXml('<![CDATA[RRRRRRRR]]>'.repeat(9000), '1')),
    ],
    ['text that the reader skips', statementXml(`<Ntry><AddtlNtryInf>${'x'.repeat(90_000)}`)],
    ['a comment', statementXml(`<!-- ${'x'.repeat(90_000)} -->`)],
    ['an attribute', `<Document xmlns="${'x'.repeat(90_000)}">`],
    ['a tag name', `<${'x'.repeat(90_000)}>`],
    ['a document type', `<!DOCTYPE ${'x'.repeat(90_000)}`],
  ])('have %s of more than 64 KiB', async (_name, xml) => {
    const { error } = await readUntilError(xml);
    expect(error?.problem).toBe('TEXT_TOO_LONG');
  });

  it('have more lines than the limit; those within it are read', async () => {
    const { parts, error } = await readUntilError(three, { limits: { linesMax: 2 } });
    expect(error?.problem).toBe('TOO_MANY_LINES');
    expect(linesOf(parts).map((line) => line.endToEndId)).toEqual(['R1', 'R2']);
  });

  it.each([
    [
      'another message',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.11"/>',
      'NOT_CAMT053',
    ],
    ['something else in XML', '<html><body/></html>', 'NOT_CAMT053'],
    [
      'no statement',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"/>',
      'NO_STATEMENT',
    ],
    ['a statement without an Id', statementXml('').replace('<Id>S-1</Id>', ''), 'NO_STATEMENT_ID'],
    ['no XML', 'Date;Amount;Text', 'MALFORMED'],
    ['nothing', '', 'TRUNCATED'],
  ])('be %s', async (_name, xml, problem) => {
    expect((await readUntilError(xml)).error?.problem).toBe(problem);
  });
});

describe('a file that breaks off', () => {
  it('gives the parts before the break and where it was', async () => {
    const cut = three.slice(0, three.indexOf('<EndToEndId>R3') + 14);
    const { parts, error } = await readUntilError(`<?xml version="1.0"?>\n\n${cut}`);
    expect(linesOf(parts).map((line) => line.endToEndId)).toEqual(['R1', 'R2']);
    expect(error).toMatchObject({ problem: 'TRUNCATED', line: 3, column: cut.length + 1 });
  });

  it('is noticed wherever it breaks off', async () => {
    for (let end = 0; end < three.length; end += 1) {
      const { error } = await readUntilError(three.slice(0, end));
      expect(error?.problem, `after ${end} characters`).toBe('TRUNCATED');
    }
  });

  it('says nothing of its content in the message', async () => {
    const { error } = await readUntilError(three.replace('</Ntry>', '</SecretName>'));
    expect(error?.problem).toBe('MALFORMED');
    expect(error?.message).toMatch(/^the XML is not well-formed \(line 1, column \d+\)$/);
  });

  it('refuses text after the document', async () => {
    expect((await readUntilError(`${three}<more/>`)).error?.problem).toBe('MALFORMED');
  });
});

describe('a broken entry does not stop the rest', () => {
  it.each([
    ['a negative amount', entryXml('BAD', '-1'), 'INVALID', 'Ntry/Amt'],
    ['a comma for a point', entryXml('BAD', '1,00'), 'INVALID', 'Ntry/Amt'],
    ['an exponent', entryXml('BAD', '1e3'), 'INVALID', 'Ntry/Amt'],
    ['no amount', entryXml('BAD', '1').replace(/<Amt.*<\/Amt>/, ''), 'MISSING', 'Ntry/Amt'],
    ['an odd currency', entryXml('BAD', '1').replace('"EUR"', '"euro"'), 'INVALID', 'Ntry/Amt'],
    [
      'no direction',
      entryXml('BAD', '1').replace('<CdtDbtInd>DBIT</CdtDbtInd>', ''),
      'MISSING',
      'Ntry/CdtDbtInd',
    ],
    ['an unknown status', entryXml('BAD', '1').replace('BOOK', 'ODD'), 'INVALID', 'Ntry/Sts'],
    [
      'an odd reversal mark',
      entryXml('BAD', '1', '<RvslInd>ja</RvslInd>'),
      'INVALID',
      'Ntry/RvslInd',
    ],
  ])('%s', async (_name, entry, problem, element) => {
    const parts = await readAll(statementXml(entryXml('R1', '1') + entry + entryXml('R3', '3')));
    expect(linesOf(parts).map((line) => [line.lineNumber, line.endToEndId])).toEqual([
      [1, 'R1'],
      [3, 'R3'],
    ]);
    expect(parts.filter((part) => part.kind === 'problem')).toEqual([
      { kind: 'problem', problem, element, lineNumber: 2, entryNumber: 2 },
    ]);
    expect(parts.at(-1)).toMatchObject({ kind: 'end', entries: 3, lines: 2, problems: 1 });
  });

  it('a batch with an unreadable transaction has no total to compare', async () => {
    const transaction = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
    const batch = `<Ntry><Amt Ccy="EUR">6</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls>${transaction('1')}<TxDtls/>${transaction('3')}</NtryDtls></Ntry>`;
    const parts = await readAll(statementXml(batch));
    expect(parts.map((part) => part.kind)).toEqual([
      'header',
      'line',
      'problem',
      'line',
      'batch',
      'end',
    ]);
    expect(parts[4]).toMatchObject({ transactions: 3, transactionsTotal: null });
  });

  it('a balance that makes no sense is reported', async () => {
    const parts = await readAll(
      statementXml('<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt>x</Amt></Bal>'),
    );
    expect(parts[1]).toMatchObject({ kind: 'problem', element: 'Bal/Amt', lineNumber: null });
  });
});

describe('a statement inside an envelope', () => {
  it('is found behind the business header, whatever namespace that one has', async () => {
    const xml = `<e:Envelope xmlns:e="urn:example:envelope"><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><MsgDefIdr>camt.053.001.08</MsgDefIdr></AppHdr>${three}</e:Envelope>`;
    expect(linesOf(await readAll(xml))).toHaveLength(3);
  });
});
