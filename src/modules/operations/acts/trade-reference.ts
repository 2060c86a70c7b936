import { isTradeReference } from '../../../domain/payments/fx/cover-trade.ts';
import type { ActInput } from './act-input.ts';

/** A cover trade that was recorded, as acts name it. */
export const TRADE_REFERENCE: ActInput = {
  ...{ label: 'Cover trade', what: 'the reference of the trade', lengthMax: 64 },
  check: (text) =>
    isTradeReference(text) ? null : 'Enter 1 to 64 letters, digits, or the characters . / _ -',
  ...{ option: '--trade <reference>', help: 'the reference of the cover trade, as recorded' },
};
