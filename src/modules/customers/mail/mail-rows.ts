/** The rows that a mail's address and contents are sealed for. */
export const addressRow = (id: string): string => `mails/${id}/address`;
export const contentsRow = (id: string): string => `mails/${id}/contents`;

/** What an address is hashed under, wherever one is looked for. */
export const ADDRESS_PURPOSE = 'mail-address';
