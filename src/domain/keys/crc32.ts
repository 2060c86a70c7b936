/** The reversed polynomial of CRC-32/ISO-HDLC, the one of zip and Ethernet. */
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** CRC-32/ISO-HDLC of ASCII text: "123456789" gives 0xcbf43926. */
export function crc32(text: string): number {
  let value = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    value = (value >>> 8) ^ (TABLE[(value ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
