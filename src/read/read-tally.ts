import type { FileControls, RecordOutcome } from '../close/reconcile/input-exceptions.ts';
import { noOutcomes } from './account-for-files.ts';
import { addControlsText, exactSum } from './figures.ts';

/** Adds up the records of one file by their outcomes, as they are kept. */
export type FileTally = {
  readonly add: (outcome: RecordOutcome, controls: string) => void;
  readonly takeBack: (outcome: RecordOutcome, controls: string) => void;
  readonly outcomes: () => FileControls['outcomes'];
};

/** @param file for messages */
export const fileTally = (columns: number, file: string): FileTally => {
  const outcomes = noOutcomes(columns);
  return {
    add: (outcome, controls) => {
      outcomes[outcome].records += 1;
      addControlsText(outcomes[outcome], controls, file);
    },
    takeBack: (outcome, controls) => {
      const from = outcomes[outcome];
      const texts = controls.split(' ');
      const numbers = texts.map(Number);
      from.records -= 1;
      from.rows -= numbers[0] ?? 0;
      for (let index = 0; index < columns; index += 1) {
        from.sums[index] = exactSum(from.sums[index] ?? 0, -(numbers[1 + index] ?? 0), file);
        from.unreadable[index] = (from.unreadable[index] ?? 0) - (numbers[1 + columns + index] ?? 0);
      }
    },
    outcomes: () => outcomes,
  };
};
