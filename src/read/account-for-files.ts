import { type FileControls, OUTCOMES, type RecordOutcome } from '../close/reconcile/input-exceptions.ts';
import { type FiguresDraft, noFigures } from './figures.ts';

export type OutcomeFigures = FileControls['outcomes'];

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;
