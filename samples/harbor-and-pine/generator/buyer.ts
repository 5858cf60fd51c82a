import type { Place } from './places.ts';
import type { Random } from './random.ts';
import type { Address } from './sample-order.ts';
import { rulesOf } from './state-rules.ts';

const FIRST =
  'Ada Ben Carla Dmitri Elena Farid Grace Hugo Imani Joël Kiran Lena Marcus Nadia Omar Priya Quinn Rosa Sam Tessa Uma Víctor Wendy Xiomara Yusuf Zoë'.split(
    ' ',
  );
const LAST =
  "Abbott Baptiste Castellano Dunn Eriksen Fofana Grünwald Hollis Ibarra Jensen Kowalski Larkspur Mbeki Norwood O'Brien Petrov Quintero Ramírez Sandoval Tran Underhill Vance Whitaker Yamada Zeller".split(
    ' ',
  );
const STREETS = [
  'Alder St',
  'Birch Ave',
  'Cannery Row',
  'Dock St',
  'Elm Ct',
  'Ferry Ln',
  'Granite Way',
  'Hemlock Dr',
  'Juniper Blvd',
  'Kelp Rd',
  'Larch Pl',
];
const UNITS = ['Apt 4', 'Unit 12B', '# 301', 'Suite 200'];
const COMPANIES = ['Larkspur Studio, LLC', 'Dunn & Daughters', 'Fofana Design'];

export type Buyer = { readonly name: string; readonly email: string };

/** Accents stay in the name and leave the mail address. */
export const buyerOf = (random: Random, number: number): Buyer => {
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return { name: `${first} ${last}`, email: `${plain}${number % 97}@example.com` };
};

/** Telephone numbers come from the block that is kept free for fiction. */
const phoneOf = (random: Random, areaCode: string): string => `'+1${areaCode}55501${random.int(10, 99)}`;

/** Shopify puts an apostrophe before ZIPs and numbers with a plus sign, so that a spreadsheet leaves them alone. */
export const addressAt = (random: Random, place: Place, name: string): Address => ({
  name,
  address1: `${random.int(12, 9400)} ${random.pick(STREETS)}`,
  address2: random.chance(22) ? random.pick(UNITS) : '',
  company: random.chance(5) ? random.pick(COMPANIES) : '',
  city: place.city,
  zip: `'${place.zip}`,
  province: place.state,
  provinceName: rulesOf(place.state).name,
  country: 'US',
  phone: random.chance(60) ? phoneOf(random, place.areaCode) : '',
});

const CANADIAN_PLACES = [
  { city: 'Vancouver', zip: 'V6B 1A1', province: 'BC', provinceName: 'British Columbia', areaCode: '604' },
  { city: 'Toronto', zip: 'M5V 2T6', province: 'ON', provinceName: 'Ontario', areaCode: '416' },
  { city: 'Montréal', zip: 'H2Y 1C6', province: 'QC', provinceName: 'Quebec', areaCode: '514' },
];

export const canadianAddress = (random: Random, name: string): Address => {
  const { areaCode, ...place } = random.pick(CANADIAN_PLACES);
  return {
    name,
    address1: `${random.int(12, 980)} ${random.pick(STREETS)}`,
    address2: '',
    company: '',
    ...place,
    country: 'CA',
    phone: phoneOf(random, areaCode),
  };
};
