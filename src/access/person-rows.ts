/** The rows that what is personal of a user or an operator is sealed for. */
const tableOf = (id: string): string => (id.startsWith('usr_') ? 'users' : 'operators');

export const personNameRow = (id: string): string => `${tableOf(id)}/${id}/name`;
export const personAddressRow = (id: string): string => `${tableOf(id)}/${id}/address`;
