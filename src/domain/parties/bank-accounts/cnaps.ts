/**
 * Is this a CNAPS code (China): bank of three digits, place of four, branch of four, and a check digit by
 * ISO 7064 MOD 11,10? Source: People's Bank of China, participants of the payment system.
 */
export function isValidCnapsCode(text: string): boolean {
  if (!/^[1-9][0-9]{11}$/.test(text)) return false;
  let product = 10;
  for (const digit of text.slice(0, 11)) {
    const sum = (product + Number(digit)) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + Number(text[11])) % 10 === 1;
}
