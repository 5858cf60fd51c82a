import { STATE_RULES } from '../../samples/harbor-and-pine/generator/state-rules.ts';

export const TIME_ZONE = 'America/Los_Angeles';
export const SHIP_FROM = { state: 'CA', zip: '95814', city: 'Sacramento', street: '1201 K Street' } as const;

export const REGISTERED_STATES = Object.entries(STATE_RULES).flatMap(([state, { registered }]) =>
  registered ? [state] : [],
);

/** The configuration of the seller. */
export const merchantYaml = (): string => `entity: bench
name: Bench
timeZone: ${TIME_ZONE}
shipFrom: { country: US, state: ${SHIP_FROM.state}, zip: "${SHIP_FROM.zip}", city: ${SHIP_FROM.city}, street: ${SHIP_FROM.street} }
registrations: [${REGISTERED_STATES.map((state) => `{ state: ${state}, since: "2019-01-01", deliveryFee: none }`).join(', ')}]
channels: [{ name: shopify, files: [orders*.csv], refundDates: [refunds*.csv] }]
categories: [{ sku: APP-*, code: "20010" }, { sku: GRO-*, code: "40030" }, { sku: BKS-*, code: "81100" }]
`;
