/** Ourselves as a customer: the owner of what is no other customer's. */
export const HOUSE_CUSTOMER_ID = 'cus_house';
