import { usRegionCode } from '../../../kernel/us-regions.ts';
import type { TableRow } from '../files/table-row.ts';
import { guessDateForm } from './guess-values.ts';
import type { Guess } from './map-lines.ts';

/** Complete a guess from cells where column names are not enough: the date, the refunded order, and the state. */
export const guessByCells = (guess: Guess, columns: readonly string[], sample: readonly TableRow[]): Guess =>
  [withDate, withReference, withState].reduce((known, further) => further(known, columns, sample), guess);

/** If no column is named as a date, take the first whose cells are dates. */
const withDate = (guess: Guess, columns: readonly string[], sample: readonly TableRow[]): Guess => {
  const date = columns.find((column, index) => {
    const values = sample.map(({ cells }) => (cells[index] ?? '').trim());
    return column !== '' && guessDateForm(values) !== undefined;
  });
  return guess.date !== undefined || date === undefined ? guess : { ...guess, date };
};

/** If no column is named as a reference, take one with other rows' order numbers: it names the refunded order. */
const withReference = (guess: Guess, columns: readonly string[], sample: readonly TableRow[]): Guess => {
  if (guess.id === undefined || guess.reference !== undefined) return guess;
  const cellsOf = (column: string): readonly string[] =>
    sample.map(({ cells }) => (cells[columns.indexOf(column)] ?? '').trim());
  const ids = cellsOf(guess.id);
  const forms = new Set(ids.map(formOf));
  const taken = new Set(Object.values(guess));
  const reference = columns.find((column) => {
    const named = cellsOf(column).filter((value) => value !== '');
    const isBlankSomewhere = named.length < sample.length;
    return (
      !taken.has(column) &&
      isBlankSomewhere &&
      named.some((value) => ids.includes(value)) &&
      named.every((value) => forms.has(formOf(value)))
    );
  });
  return reference === undefined ? guess : { ...guess, reference };
};

/** If no column is named as a state, take the first unused one in which every filled cell is a state. */
const withState = (guess: Guess, columns: readonly string[], sample: readonly TableRow[]): Guess => {
  if (guess.state !== undefined) return guess;
  const taken = new Set(Object.values(guess));
  const state = columns.find((column, index) => {
    const named = sample.map(({ cells }) => (cells[index] ?? '').trim()).filter((cell) => cell !== '');
    return (
      column !== '' &&
      !taken.has(column) &&
      named.length > 0 &&
      named.every((cell) => usRegionCode(cell) !== undefined)
    );
  });
  return state === undefined ? guess : { ...guess, state };
};

const formOf = (text: string): string => text.replace(/\d/g, '9');
