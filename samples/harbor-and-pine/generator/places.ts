import { type MilliPercent, milliPercent } from './amounts.ts';

export const LEVELS = ['state', 'county', 'city', 'special'] as const;
export type Level = (typeof LEVELS)[number];
export type Rates = Readonly<Record<Level, MilliPercent>>;

/** How the rate is known: the authority's file, its page, a table that names the authority, or nobody's word. */
type RateSource = 'official-file' | 'official-cited' | 'secondary' | 'from-memory';

export type Place = {
  readonly state: string;
  readonly city: string;
  readonly zip: string;
  readonly county: string;
  readonly rates: Rates;
  readonly source: RateSource;
  /** What the shop prints for the special districts together. */
  readonly specialName: string;
  readonly areaCode: string;
};

/** Percentages of state, county, city and special districts, in this order. */
type Percents = readonly [state: string, county: string, city: string, special: string];

/** Rates from percentages as printed. */
export const milliRates = ([state, county, city, special]: Percents): Rates => ({
  state: milliPercent(state),
  county: milliPercent(county),
  city: milliPercent(city),
  special: milliPercent(special),
});

const place = (
  address: readonly [state: string, city: string, zip: string, county: string, areaCode: string],
  percents: Percents,
  source: RateSource,
  specialName = '',
): Place => {
  const [state, city, zip, county, areaCode] = address;
  return { state, city, zip, county, areaCode, rates: milliRates(percents), source, specialName };
};

/** Every destination of the month: one ZIP in one county each, with the rates in force in October 2026. */
export const PLACES: readonly Place[] = [
  place(
    ['CA', 'Sacramento', '95814', 'Sacramento County', '916'],
    ['6.25', '1', '0', '1.5'],
    'official-file',
    'Sacramento District Tax Sp',
  ),
  place(
    ['CA', 'Los Angeles', '90012', 'Los Angeles County', '213'],
    ['6.25', '1', '0', '2.5'],
    'official-file',
    'Los Angeles County District Tax Sp',
  ),
  place(
    ['CA', 'San Francisco', '94103', 'San Francisco County', '415'],
    ['6.25', '1', '0', '1.375'],
    'official-file',
    'San Francisco County District Tax Sp',
  ),
  place(
    ['CA', 'San Diego', '92101', 'San Diego County', '619'],
    ['6.25', '1', '0', '0.5'],
    'official-file',
    'San Diego County District Tax Sp',
  ),
  place(
    ['CA', 'Oakland', '94607', 'Alameda County', '510'],
    ['6.25', '1', '0', '3.5'],
    'official-file',
    'Alameda County District Tax Sp',
  ),
  place(
    ['CA', 'Fresno', '93721', 'Fresno County', '559'],
    ['6.25', '1', '0', '1.1'],
    'official-file',
    'Fresno County District Tax Sp',
  ),
  place(
    ['CA', 'Bakersfield', '93301', 'Kern County', '661'],
    ['6.25', '1', '0', '1'],
    'official-file',
    'Bakersfield District Tax Sp',
  ),
  place(
    ['NY', 'New York', '10001', 'New York County', '212'],
    ['4', '0', '4.5', '0.375'],
    'secondary',
    'Metropolitan Commuter Transportation District',
  ),
  place(
    ['NY', 'Brooklyn', '11201', 'Kings County', '718'],
    ['4', '0', '4.5', '0.375'],
    'secondary',
    'Metropolitan Commuter Transportation District',
  ),
  place(['NY', 'Rochester', '14604', 'Monroe County', '585'], ['4', '4', '0', '0'], 'secondary'),
  place(['NY', 'Buffalo', '14202', 'Erie County', '716'], ['4', '4.75', '0', '0'], 'secondary'),
  place(
    ['TX', 'Austin', '78701', 'Travis County', '512'],
    ['6.25', '0', '1', '1'],
    'secondary',
    'Austin Mta Transit',
  ),
  place(
    ['TX', 'Houston', '77002', 'Harris County', '713'],
    ['6.25', '0', '1', '1'],
    'secondary',
    'Houston Mta Transit',
  ),
  place(
    ['TX', 'El Paso', '79901', 'El Paso County', '915'],
    ['6.25', '0.5', '1', '0.5'],
    'secondary',
    'El Paso Mta Transit',
  ),
  place(['TX', 'Lubbock', '79401', 'Lubbock County', '806'], ['6.25', '0', '2', '0'], 'secondary'),
  place(['PA', 'Philadelphia', '19103', 'Philadelphia County', '215'], ['6', '2', '0', '0'], 'secondary'),
  place(['PA', 'Pittsburgh', '15222', 'Allegheny County', '412'], ['6', '1', '0', '0'], 'secondary'),
  place(['PA', 'Harrisburg', '17101', 'Dauphin County', '717'], ['6', '0', '0', '0'], 'secondary'),
  place(['MA', 'Boston', '02108', 'Suffolk County', '617'], ['6.25', '0', '0', '0'], 'secondary'),
  place(['MA', 'Cambridge', '02139', 'Middlesex County', '617'], ['6.25', '0', '0', '0'], 'secondary'),
  place(['MA', 'Worcester', '01608', 'Worcester County', '508'], ['6.25', '0', '0', '0'], 'secondary'),
  place(['FL', 'Miami', '33130', 'Miami-Dade County', '305'], ['6', '1', '0', '0'], 'secondary'),
  place(['FL', 'Orlando', '32801', 'Orange County', '407'], ['6', '0.5', '0', '0'], 'secondary'),
  place(['FL', 'Tampa', '33602', 'Hillsborough County', '813'], ['6', '1.5', '0', '0'], 'secondary'),
  place(['WA', 'Seattle', '98101', 'King County', '206'], ['6.5', '0', '4.05', '0'], 'secondary'),
  place(['WA', 'Spokane', '99201', 'Spokane County', '509'], ['6.5', '0', '2.6', '0'], 'secondary'),
  place(['WA', 'Bellevue', '98004', 'King County', '425'], ['6.5', '0', '3.8', '0'], 'secondary'),
  place(['GA', 'Atlanta', '30303', 'Fulton County', '404'], ['4', '3', '1.9', '0'], 'official-file'),
  place(['GA', 'Savannah', '31401', 'Chatham County', '912'], ['4', '3', '0', '0'], 'official-file'),
  place(['GA', 'Marietta', '30060', 'Cobb County', '770'], ['4', '2', '0', '0'], 'official-file'),
  place(['GA', 'Macon', '31201', 'Bibb County', '478'], ['4', '4', '0', '0'], 'official-file'),
  place(['NJ', 'Hoboken', '07030', 'Hudson County', '201'], ['6.625', '0', '0', '0'], 'secondary'),
  place(['NJ', 'Montclair', '07042', 'Essex County', '973'], ['6.625', '0', '0', '0'], 'secondary'),
  place(['NJ', 'Morristown', '07960', 'Morris County', '973'], ['6.625', '0', '0', '0'], 'secondary'),
  place(['IL', 'Peoria', '61602', 'Peoria County', '309'], ['6.25', '1', '1.75', '0'], 'secondary'),
  place(['IL', 'Rockford', '61101', 'Winnebago County', '815'], ['6.25', '1.5', '1', '0'], 'secondary'),
  place(
    ['CO', 'Denver', '80202', 'Denver County', '303'],
    ['2.9', '0', '5.15', '1.1'],
    'from-memory',
    'Denver RTD and Cultural District',
  ),
  place(['OR', 'Portland', '97205', 'Multnomah County', '503'], ['0', '0', '0', '0'], 'secondary'),
  place(['OR', 'Eugene', '97401', 'Lane County', '541'], ['0', '0', '0', '0'], 'secondary'),
  place(
    ['NC', 'Raleigh', '27601', 'Wake County', '919'],
    ['4.75', '2', '0', '0.5'],
    'official-cited',
    'Wake County Transit',
  ),
  place(
    ['VA', 'Richmond', '23219', 'Richmond city', '804'],
    ['4.3', '1', '0', '0.7'],
    'secondary',
    'Central Virginia Region',
  ),
  place(['AZ', 'Phoenix', '85004', 'Maricopa County', '602'], ['5.6', '0.7', '2.8', '0'], 'secondary'),
  place(['AZ', 'Tucson', '85701', 'Pima County', '520'], ['5.6', '0.5', '2.6', '0'], 'secondary'),
  place(
    ['OH', 'Columbus', '43215', 'Franklin County', '614'],
    ['5.75', '1.25', '0', '1'],
    'secondary',
    'Franklin County Transit',
  ),
  place(['NV', 'Reno', '89501', 'Washoe County', '775'], ['6.85', '1.415', '0', '0'], 'secondary'),
  place(['MI', 'Ann Arbor', '48104', 'Washtenaw County', '734'], ['6', '0', '0', '0'], 'secondary'),
];

/** Bibb County levied 3 percent until 2026-03-31; a shop that missed the change still charges it. */
export const MACON_BEFORE_APRIL: Rates = milliRates(['4', '3', '0', '0']);

export const placeOf = (city: string): Place => {
  const found = PLACES.find((candidate) => candidate.city === city);
  if (found === undefined) throw new RangeError(`no place called ${city}`);
  return found;
};
