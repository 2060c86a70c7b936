/**
 * Is this a CCI (Peru, 20 digits): bank and office of six digits, account of twelve, and a check digit of
 * each by weights 1-2, where a product counts as the sum of its digits? Source: Cámara de Compensación
 * Electrónica, Código de Cuenta Interbancario.
 */
export function isValidCci(text: string): boolean {
  if (!/^[0-9]{20}$/.test(text)) return false;
  return text.slice(18) === checkDigit(text.slice(0, 6)) + checkDigit(text.slice(6, 18));
}

function checkDigit(block: string): string {
  let sum = 0;
  for (let i = 0; i < block.length; i += 1) {
    const product = Number(block[i]) * (1 + (i % 2));
    sum += product > 9 ? product - 9 : product;
  }
  return String((10 - (sum % 10)) % 10);
}
