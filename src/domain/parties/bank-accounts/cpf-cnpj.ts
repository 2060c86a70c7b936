/**
 * Is this a CPF (Brazil, persons): eleven digits, the last two check digits modulo 11? Eleven equal
 * digits satisfy the sums and are refused, as the Receita Federal does.
 */
export function isValidCpf(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text) || isOneCharacterRepeated(text)) return false;
  const first = checkDigit(text.slice(0, 9), 11);
  return text.endsWith(first + checkDigit(text.slice(0, 9) + first, 11));
}

/**
 * Is this a CNPJ (Brazil, companies): twelve digits or, since July 2026, capital letters, and two
 * check digits modulo 11 in which a character counts as its ASCII code minus 48? Source: Receita
 * Federal, Instrução Normativa RFB 2.229/2024.
 */
export function isValidCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(text) || isOneCharacterRepeated(text)) return false;
  const first = checkDigit(text.slice(0, 12), 9);
  return text.endsWith(first + checkDigit(text.slice(0, 12) + first, 9));
}

function isOneCharacterRepeated(text: string): boolean {
  return new Set(text).size === 1;
}

// Weights count up from 2 at the right end and start over after the greatest.
function checkDigit(text: string, greatestWeight: number): string {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    const weight = 2 + ((text.length - 1 - i) % (greatestWeight - 1));
    sum += (text.charCodeAt(i) - 48) * weight;
  }
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}
