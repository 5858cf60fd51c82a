import { dueDateOf } from '../../src/filing/dates.ts';
import type { FilingRegistration } from '../../src/filing/registration.ts';
import { returnOf } from '../../src/filing/return-of.ts';
import type { TaxReturn } from '../../src/filing/tax-return.ts';
import { figuresOf, ofState, registrationOf, type TestFigures } from './figures-of.ts';

/** The return of some figures, as a close would fill it in. */
export const fill = (given: TestFigures, over: Partial<FilingRegistration> = {}): TaxReturn => {
  const figures = figuresOf(given);
  const registration = registrationOf(given.state, over);
  const { frequency } = registration;
  const due = dueDateOf({ ...ofState(given.state), frequency }, figures.period);
  return returnOf(figures, registration, due.due);
};

/** 10,000.40 is taxed at one place; 1,800.25 of other sales are not. */
export const sold = (
  state: string,
  rates: Record<string, string>,
  more: Partial<TestFigures> = {},
): TestFigures => ({
  state,
  places: [{ county: 'ALLEGHENY', city: 'PITTSBURGH', taxable: '10000.40', rates }],
  nonTaxable: '500.25',
  exempt: [['wholesale', '300.00']],
  marketplace: '1000.00',
  ...more,
});
