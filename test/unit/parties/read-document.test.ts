import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/domain/parties/kyc/documents/read-document.ts';
import { inflate } from '../../../src/modules/parties/kyc/inflate.ts';
import { jpeg, packedPdf, pdf, png, PNG_SIGNATURE } from '../../support/kyc-files.ts';

const kindOf = (bytes: Uint8Array) => readDocument(bytes, inflate)?.contentType ?? null;

describe('what a file is, by its bytes', () => {
  it.each([
    ['a JPEG', jpeg(), 'image/jpeg'],
    ['a PNG', png(300), 'image/png'],
    ['a PDF', pdf(), 'application/pdf'],
  ] as const)('%s is one, whole', (_name, bytes, contentType) => {
    expect(readDocument(bytes, inflate)).toEqual({
      contentType,
      length: contentType === 'application/pdf' ? bytes.length - 1 : bytes.length,
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a page behind the first bytes of a JPEG', Buffer.from('\xff\xd8\xff<html>', 'latin1')],
    ['a page behind a PNG signature', Buffer.concat([PNG_SIGNATURE, Buffer.from('<html>')])],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a GIF', Buffer.from('GIF89a')],
    ['an archive', Buffer.from('PK\x03\x04')],
    ['a program', Buffer.from('\x7fELF')],
    ['a JPEG that breaks off', jpeg().subarray(0, -2)],
    ['a PNG that breaks off', png(300).subarray(0, -1)],
    ['a PDF that breaks off', pdf().subarray(0, -10)],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a PDF behind something else', Buffer.concat([Buffer.from('GIF89a'), pdf()])],
  ])('%s is none', (_name, bytes) => {
    expect(kindOf(bytes)).toBeNull();
  });

  it.each([
    '<script>alert(1)</script>',
    '<?PHP phpinfo();',
    '%PDF-1.4',
    'PK\x03\x04',
    '<!DOCTYPE x>',
  ])('a picture that can be taken for something else is none: %j', (text) => {
    expect(kindOf(jpeg({ comment: text }))).toBeNull();
    expect(kindOf(png(400, 7, { metadata: Buffer.from(`Comment\0${text}`) }))).toBeNull();
  });

  it('what stands behind a picture is not of it', () => {
    const tail = Buffer.from('<html>PK\x03\x04');
    expect(readDocument(Buffer.concat([jpeg(), tail]), inflate)?.length).toBe(jpeg().length);
    expect(readDocument(Buffer.concat([png(300), tail]), inflate)?.length).toBe(300);
    expect(readDocument(Buffer.concat([pdf('', ''), Buffer.from(' \n\n')]), inflate)?.length).toBe(
      pdf('', '').length,
    );
  });

  it.each([
    [0, 600],
    [600, 0],
    [30_001, 1],
    [20_000, 20_000],
  ])('a picture of %d x %d, small as its file is, is none', (width, height) => {
    expect(kindOf(png(300, 0, { width, height }))).toBeNull();
    expect(kindOf(jpeg({ width, height }))).toBeNull();
  });

  it('a picture as phones make them is one', () => {
    expect(kindOf(png(300, 0, { width: 9_000, height: 12_000 }))).toBe('image/png');
    expect(kindOf(jpeg({ width: 9_000, height: 12_000 }))).toBe('image/jpeg');
  });

  it.each([
    '/OpenAction<</S/JavaScript/JS(app.alert(1))>>',
    '/OpenAction<</S/J#61va#53cript/JS(app.alert(1))>>',
    '/OpenAction<</S/Launch/F(cmd.exe)>>',
    '/Names<</EmbeddedFiles 9 0 R>>',
    '/AcroForm<</XFA[9 0 R]>>',
    '/Encrypt 9 0 R',
    '/Encrypt<</Filter/Standard>>',
    '/Annots[<</Subtype/RichMedia>>]',
  ])('a PDF that can do more than be looked at is none: %s', (catalogue) => {
    expect(kindOf(pdf(catalogue))).toBeNull();
    expect(kindOf(pdf('/Lang(en)'))).toBe('application/pdf');
  });

  it('a PDF with compressed objects is one, where they are harmless', () => {
    expect(kindOf(packedPdf())).toBe('application/pdf');
    expect(kindOf(packedPdf({ head: '/Type/ObjStm/N 2/First 9/Filter[/FlateDecode]' }))).toBe(
      'application/pdf',
    );
  });

  const script = '<</S/JavaScript/JS(app.alert(1))>>';
  const packed = deflateSync(Buffer.from(`2 0 ${script}`));
  it.each([
    ['a script', packedPdf({ objects: script })],
    ['a script that is spelled otherwise', packedPdf({ objects: script.replace('J', '#4a') })],
    ['a program', packedPdf({ objects: '<</S/Launch/F(cmd.exe)>>' })],
    ['a file', packedPdf({ objects: '<</Type/EmbeddedFile>>' })],
    ['no type', packedPdf({ objects: script, head: '/N 2/First 9/Filter/FlateDecode' })],
    [
      'a type in other letters',
      packedPdf({ data: packed, head: '/Type/Obj#53tm/N 1/First 4/Filter/FlateDecode' }),
    ],
    ['another filter', packedPdf({ head: '/Type/ObjStm/N 2/First 9/Filter/LZWDecode' })],
    [
      'two filters',
      packedPdf({ head: '/Type/ObjStm/N 2/First 9/Filter[/ASCIIHexDecode/FlateDecode]' }),
    ],
    [
      'a predictor',
      packedPdf({
        head: '/Type/ObjStm/N 2/First 9/Filter/FlateDecode/DecodeParms<</Predictor 12>>',
      }),
    ],
    ['damaged data', packedPdf({ data: packed.subarray(0, -6) })],
    ['a bomb', packedPdf({ data: deflateSync(Buffer.alloc(9 * 1024 * 1024)) })],
    [
      'an end in its head',
      packedPdf({ data: packed, head: '/Type/ObjStm/First 4/X(endobj)/Filter/FlateDecode' }),
    ],
    ['a password', packedPdf({ table: '/Type/XRef/Size 6/W[1 2 1]/Root 1 0 R/Encrypt 9 0 R' })],
  ])('a PDF with compressed objects is none with %s', (_name, file) => {
    expect(kindOf(file)).toBeNull();
  });

  it('whatever the bytes, it answers, and with no more than there are', () => {
    const beginnings = fc.constantFrom(jpeg(), png(200), pdf(), PNG_SIGNATURE, Buffer.alloc(0));
    const anything = fc.tuple(
      beginnings,
      fc.nat({ max: 200 }),
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: 220 }),
    );
    fc.assert(
      fc.property(anything, ([beginning, at, noise, keep]) => {
        const bytes = Buffer.concat([beginning.subarray(0, keep), noise]);
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 0x40;
        const found = readDocument(bytes, inflate);
        expect(found === null || (found.length > 0 && found.length <= bytes.length)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ten megabytes of any kind are judged quickly', () => {
    const size = 10 * 1024 * 1024;
    const worst = [
      jpeg({ data: Array.from({ length: 200_000 }, (_none, n) => (n % 2 === 0 ? 0xff : 0)) }),
      Buffer.alloc(size, 0xff).fill(Buffer.from([0xff, 0xd8]), 0, 2),
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size, '/E#4'), Buffer.from('%%EOF')]),
      png(size),
    ];
    const before = performance.now();
    for (const bytes of worst) readDocument(bytes, inflate);
    // What reads them once for each of their bytes takes hours.
    expect(performance.now() - before).toBeLessThan(60_000);
  });
});
