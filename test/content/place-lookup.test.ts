import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { findPlace } from '../../src/content/place-lookup.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { rowsOf } from '../support/rows.ts';

const content = loadContent();

const placeOf = (code: string, zip: string, city: string) => {
  const state = content.states.get(code);
  if (!state) throw new Error(`${code} is not a state`);
  return findPlace(content, { state, zip, city, street: '' }, calendarDate('2026-10-31'));
};

describe('an address is placed as exactly as it can be', () => {
  test.for(
    rowsOf(`
    NY | 10541 | Mahopac | PUTNAM | place | a ZIP in one county
    CA | 90002-1234 | los angeles | LOS ANGELES | place | a long ZIP, a city in lower case
    MA | 1608 | Worcester | WORCESTER | place | a ZIP that lost its leading zero
    MN | 55101 | City of St Paul, MN | RAMSEY | place | its words around it
    GA | 30344 |  | FULTON | place | no city at all
    LA | 70112 | New Orleans | ORLEANS | place | parishes lose their word too
    VA | 24011 | Roanoke | ROANOKE CITY | place | an independent city keeps its own
  `),
  )('%s %s %s is in %s, %s: %s', ([state, zip, city, county, precision]) => {
    const place = placeOf(state, zip, city);
    expect([place.countyName, place.precision]).toEqual([county, precision]);
  });

  test('a city that fits decides between the counties of a ZIP', () => {
    const zip = '30012';
    expect(placeOf('GA', zip, 'Conyers')).toMatchObject({ countyName: 'ROCKDALE', precision: 'place' });
    expect(placeOf('GA', zip, 'Nowhere').precision).toBe('shared');
  });

  test('a shared ZIP and a missing city are flagged', () => {
    expect(placeOf('GA', '30075', '').flags).toEqual([
      expect.stringContaining('is shared by'),
      expect.stringContaining('No city was given'),
    ]);
  });

  test('a ZIP that no table knows is placed by its city, or by its state only', () => {
    expect(placeOf('GA', '31499', 'Savannah')).toMatchObject({ countyName: 'CHATHAM' });
    expect(placeOf('GA', '31499', 'Nowhere')).toMatchObject({ county: '', precision: 'state' });
  });
});
