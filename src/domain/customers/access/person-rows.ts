/** The rows that what is personal of a user or an operator is sealed for. */
const tableOf = (id: string): string => (id.startsWith('usr_') ? 'users' : 'operators');

export const personNameRow = (id: string): string => `${tableOf(id)}/${id}/name`;
/** The row of an address that waits to be confirmed. */
export const addressChangeRow = (personId: string): string => `address_changes/${personId}/address`;

export const personAddressRow = (id: string): string => `${tableOf(id)}/${id}/address`;
