import { ignored, type OrderSpec, outside, review, warning } from './order-spec.ts';

/** Orders that are right and still unlike the rest, by order number. */
export const ODD_ORDERS: Readonly<Record<number, OrderSpec>> = {
  5128: {
    channel: 'canada',
    currency: 'USD',
    cart: '1 OUT-STV04',
    shipping: '24.50',
    outcome: outside('foreign'),
  },
  5031: {
    channel: 'pos',
    cart: '1 OUT-BTL07, 2 GRO-COF01',
    outcome: warning('sold-in-person'),
  },
  5150: { channel: 'pos', cart: '1 APP-TEE01', outcome: warning('sold-in-person') },
  5263: {
    channel: 'pos',
    cart: '1 GEN-CND04, 1 BKS-CKB02',
    payment: 'Cash',
    outcome: warning('sold-in-person'),
  },
  5199: {
    channel: 'download',
    city: 'Portland',
    cart: '1 GEN-PDF01',
    outcome: warning('billing-address-used'),
  },
  5060: { cancelled: true, payment: 'Shopify Payments', outcome: review('cancelled-but-paid') },
  5173: { status: 'voided', cancelled: true, outcome: ignored('voided') },
  5222: { cancelled: true },
  5097: { status: 'voided', outcome: ignored('voided') },
  5246: { status: 'voided', outcome: ignored('voided') },
  5132: { status: 'pending', payment: 'Bank Deposit', outcome: ignored('unpaid') },
  5208: { status: 'pending', payment: 'Bank Deposit', outcome: ignored('unpaid') },
  5270: { status: 'pending', payment: 'Money Order', outcome: ignored('unpaid') },
  5298: { status: 'pending', payment: 'Bank Deposit', outcome: ignored('unpaid') },
  5021: { city: 'Sacramento', payment: 'bogus', outcome: ignored('test-order') },
  5087: { city: 'Tampa', payment: 'Gift Card' },
  5214: { payment: 'Gift Card + Shopify Payments' },
  5156: {
    city: 'Boston',
    cart: '1 APP-PRK04, 1 GEN-MUG01',
  },
  5048: {
    city: 'Boston',
    cart: '1 APP-FLN02, 1 APP-TEE01',
  },
  5229: { city: 'Rochester', cart: '1 APP-FLN02' },
  5076: { city: 'New York', cart: '4 APP-TEE01' },
  5281: {
    city: 'Buffalo',
    cart: '1 APP-JKT03, 1 GEN-THR06',
  },
  5112: {
    city: 'Savannah',
    cart: '1 GRO-COF01, 1 OUT-BTL07',
    shipping: '7.95',
  },
  5026: { note: 'Please leave at the blue door, not the gate.\nGate code is 4411.' },
  5110: { note: 'She said "no plastic", so paper tape only, please' },
  5195: {
    note: 'Gift message:\n"Happy 40th, Zoë!"\n- from all of us',
    noteAttributes: 'gift: true\nwrap: kraft, twine',
  },
  5277: { note: '=not a formula; customer wrote this' },
  5290: { note: 'Ship with #5288, same address, 2 boxes' },
};
