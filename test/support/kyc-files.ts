import { crc32, deflateSync } from 'node:zlib';
import { Buffer } from 'node:buffer';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u16 = (value: number): Buffer => u32(value).subarray(2);

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of just so many bytes, whose data are the filler: its structure is right, its picture is noise. */
export function png(
  bytes: number,
  filler: number | string = 7,
  { width = 800, height = 600, metadata = Buffer.alloc(0) } = {},
): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const before = Buffer.concat([
    ...[PNG_SIGNATURE, chunk('IHDR', header)],
    ...(metadata.length > 0 ? [chunk('tEXt', metadata)] : []),
  ]);
  const after = chunk('IEND', Buffer.alloc(0));
  const data = Buffer.alloc(bytes - before.length - after.length - 12, filler);
  return Buffer.concat([before, chunk('IDAT', data), after]);
}

const segment = (marker: number, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);

/** A JPEG with stuffed and restart markers in its data. */
export function jpeg({
  width = 800,
  height = 600,
  comment = 'a comment',
  data = [1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4],
}: {
  width?: number;
  height?: number;
  comment?: string;
  data?: readonly number[];
} = {}): Buffer {
  const frame = Buffer.concat([
    Buffer.from([8]),
    u16(height),
    u16(width),
    Buffer.from([1, 1, 0x11, 0]),
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    segment(0xfe, Buffer.from(comment)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 0x3f, 0])),
    Buffer.from(data),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A PDF of one empty page, with whatever else its catalogue is to hold. */
export const pdf = (catalogue = '', tail = '\n'): Buffer =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R${catalogue}>>endobj\n` +
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n' +
      `trailer<</Root 1 0 R>>\n%%EOF${tail}`,
    'latin1',
  );

/** A PDF whose page is in a stream of objects, with whatever else that is to hold. */
export function packedPdf({
  objects = '',
  head = '/Type/ObjStm/N 2/First 9/Filter/FlateDecode',
  data = deflateSync(Buffer.from(`2 0 3 40 <</Type/Pages/Kids[3 0 R]/Count 1>>${objects}`)),
  table = '/Type/XRef/Size 6/W[1 2 1]/Root 1 0 R',
}: {
  objects?: string;
  head?: string;
  data?: Buffer;
  table?: string;
} = {}): Buffer {
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'),
    Buffer.from(`4 0 obj<<${head}/Length ${String(data.length)}>>stream\n`),
    data,
    Buffer.from(`\nendstream endobj\n5 0 obj<<${table}>>stream\n\x01\nendstream endobj\n`),
    Buffer.from('startxref\n9\n%%EOF\n'),
  ]);
}
