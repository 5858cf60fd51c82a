/** A tax as the shop names it, and its rate in thousandths of a percent. */
export type Tax = readonly [name: string, rate: number];

/** A place with the taxes that are right there in October 2026; README.md has the sources. */
export type Place = {
  readonly state: string;
  readonly city: string;
  readonly zip: string;
  readonly street: string;
  readonly taxes: readonly Tax[];
};

const IL: Tax = ['Illinois State Tax', 6250];
const CO: Tax = ['Colorado State Tax', 2900];
const MO: Tax = ['Missouri State Tax', 4225];
const AL: Tax = ['Alabama State Tax', 4000];
const LA: Tax = ['Louisiana State Tax', 5000];
const WA: Tax = ['Washington State Tax', 6500];
const TX: Tax = ['Texas State Tax', 6250];
const NY: Tax = ['New York State Tax', 4000];

const place = (
  state: string,
  city: string,
  zip: string,
  street: string,
  ...taxes: readonly Tax[]
): Place => ({ state, city, zip, street, taxes });

export const PLACES = {
  springfieldIl: place(
    'IL',
    'Springfield',
    '62701',
    '318 E Adams St',
    IL,
    ['Sangamon County Tax', 1500],
    ['Springfield Municipal Tax', 2250],
  ),
  bloomington: place(
    'IL',
    'Bloomington',
    '61701',
    '109 E Olive St',
    IL,
    ['McLean County Tax', 1000],
    ['Bloomington Municipal Tax', 2500],
  ),
  carbondale: place(
    'IL',
    'Carbondale',
    '62901',
    '200 S Illinois Ave',
    IL,
    ['Jackson County Tax', 1000],
    ['Carbondale Municipal Tax', 2500],
  ),
  anna: place(
    'IL',
    'Anna',
    '62906',
    '103 Market St',
    IL,
    ['Union County Tax', 2250],
    ['Anna Municipal Tax', 1000],
  ),
  denver: place(
    'CO',
    'Denver',
    '80202',
    '1437 Bannock St',
    CO,
    ['Denver City Tax', 5150],
    ['Regional Transportation District', 1000],
    ['Scientific and Cultural Facilities District', 100],
  ),
  coloradoSprings: place(
    'CO',
    'Colorado Springs',
    '80903',
    '30 S Nevada Ave',
    CO,
    ['El Paso County Tax', 1230],
    ['Colorado Springs City Tax', 3070],
    ['Pikes Peak Rural Transportation Authority', 1000],
  ),
  grandJunction: place(
    'CO',
    'Grand Junction',
    '81501',
    '250 N 5th St',
    CO,
    ['Mesa County Tax', 2000],
    ['Grand Junction City Tax', 3390],
    ['Mesa County Public Safety Improvement District', 370],
  ),
  salida: place(
    'CO',
    'Salida',
    '81201',
    '448 E 1st St',
    CO,
    ['Chaffee County Tax', 2750],
    ['Salida City Tax', 3000],
  ),
  pueblo: place(
    'CO',
    'Pueblo',
    '81003',
    '200 S Main St',
    CO,
    ['Pueblo County Tax', 1000],
    ['Pueblo City Tax', 3700],
  ),
  kansasCity: place(
    'MO',
    'Kansas City',
    '64108',
    '414 E 12th St',
    MO,
    ['Jackson County Tax', 1500],
    ['Kansas City City Tax', 3250],
  ),
  springfieldMo: place(
    'MO',
    'Springfield',
    '65802',
    '840 N Boonville Ave',
    MO,
    ['Greene County Tax', 1750],
    ['Springfield City Tax', 2125],
  ),
  stLouis: place('MO', 'St. Louis', '63101', '1200 Market St', MO, ['St. Louis City Tax', 5454]),
  warrensburg: place(
    'MO',
    'Warrensburg',
    '64093',
    '102 S Holden St',
    MO,
    ['Johnson County Tax', 3250],
    ['Warrensburg City Tax', 1875],
  ),
  birmingham: place(
    'AL',
    'Birmingham',
    '35203',
    '710 20th St N',
    AL,
    ['Jefferson County Tax', 2000],
    ['Birmingham City Tax', 4000],
  ),
  huntsville: place(
    'AL',
    'Huntsville',
    '35801',
    '308 Fountain Cir',
    AL,
    ['Madison County Tax', 500],
    ['Huntsville City Tax', 4500],
  ),
  gulfShores: place(
    'AL',
    'Gulf Shores',
    '36542',
    '1905 W 1st St',
    AL,
    ['Baldwin County Tax', 3000],
    ['Gulf Shores City Tax', 3000],
  ),
  newOrleans: place('LA', 'New Orleans', '70112', '1300 Perdido St', LA, ['Orleans Parish Tax', 5000]),
  metairie: place('LA', 'Metairie', '70002', '1221 Elmwood Park Blvd', LA, ['Jefferson Parish Tax', 4750]),
  batonRouge: place('LA', 'Baton Rouge', '70801', '222 Saint Louis St', LA, [
    'East Baton Rouge Parish Tax',
    5500,
  ]),
  shreveport: place('LA', 'Shreveport', '71101', '505 Travis St', LA, ['Caddo Parish Tax', 4600]),
  seattle: place('WA', 'Seattle', '98101', '600 4th Ave', WA, ['Seattle City Tax', 4050]),
  spokane: place('WA', 'Spokane', '99201', '808 W Spokane Falls Blvd', WA, ['Spokane City Tax', 2600]),
  leavenworth: place('WA', 'Leavenworth', '98826', '700 US Highway 2', WA, ['Leavenworth City Tax', 2100]),
  ellensburg: place('WA', 'Ellensburg', '98926', '501 N Anderson St', WA, ['Ellensburg City Tax', 2100]),
  austin: place(
    'TX',
    'Austin',
    '78701',
    '301 W 2nd St',
    TX,
    ['Austin City Tax', 1000],
    ['Austin Metropolitan Transit Authority', 1000],
  ),
  houston: place(
    'TX',
    'Houston',
    '77002',
    '901 Bagby St',
    TX,
    ['Houston City Tax', 1000],
    ['Houston Metropolitan Transit Authority', 1000],
  ),
  dallas: place(
    'TX',
    'Dallas',
    '75201',
    '1500 Marilla St',
    TX,
    ['Dallas City Tax', 1000],
    ['Dallas Metropolitan Transit Authority', 1000],
  ),
  newYork: place(
    'NY',
    'New York',
    '10001',
    '421 8th Ave',
    NY,
    ['New York City City Tax', 4500],
    ['Metropolitan Commuter Transportation District', 375],
  ),
  rochester: place('NY', 'Rochester', '14604', '30 Church St', NY, ['Monroe County Tax', 4000]),
  buffalo: place('NY', 'Buffalo', '14202', '65 Niagara Sq', NY, ['Erie County Tax', 4750]),
} as const;

export type PlaceName = keyof typeof PLACES;
