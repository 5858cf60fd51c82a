import { varianceOf } from '../close/figures/period-report.ts';
import { readinessLine } from '../close/reconcile/readiness.ts';
import { earlyEndLines } from '../close/reconcile/silent-days.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { shownMoney } from '../kernel/shown-figures.ts';
import { PRELIMINARY } from '../run/running-period.ts';
import { type Closed, unclosedLines } from './close-summary.ts';
import { linesAboutFiles } from './lines-about-files.ts';
import { type EntityOutcome, isFailure } from './over-entities.ts';
import { endWord, reasonLine, sharedReasons } from './readiness-lines.ts';

/** Maximum number of reasons per entity; the sheet has all of them. */
const SHOWN_MAX = 3;

/** Formats the closes of several entities, short enough for a mail. */
export const entitiesText = (
  outcomes: readonly EntityOutcome<Closed>[],
  period: string,
  code: ExitCode,
): string => {
  const count = (of: (outcome: EntityOutcome<Closed>) => boolean) => outcomes.filter(of).length;
  const counts = [
    [count((outcome) => outcome.code === ExitCode.clean), 'closed'],
    [count((outcome) => outcome.code === ExitCode.open), 'closed with something open'],
    [count(isFailure), 'stopped'],
  ] as const;
  const told = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const isPreliminary = outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isPreliminary);
  const outcome = [
    endWord(code) ?? 'stopped',
    ...(isPreliminary ? [PRELIMINARY] : []),
    `exit code ${code}`,
    ...told,
  ];
  return `${[...outcomes.flatMap(entityLines), `${period}: ${outcome.join(', ')}`].join('\n')}\n`;
};

const entityLines = (outcome: EntityOutcome<Closed>): readonly string[] => {
  if (isFailure(outcome)) {
    const reason = outcome.error instanceof TieoutError ? outcome.error.code : 'E_DEFECT';
    return [`!! ${outcome.entity}: stopped with ${outcome.code}, ${reason}`];
  }
  const { entity, value: closed } = outcome;
  const { report, folder } = closed.written;
  const reasons = sharedReasons(report.readiness.reasons);
  return [
    `${outcome.code === ExitCode.clean ? 'ok' : '!!'} ${entity}: variance ${shownMoney(varianceOf(report))}, ${readinessLine(report.readiness)}`,
    ...reasons.slice(0, SHOWN_MAX).map((reason) => `     ${reasonLine(reason)}`),
    ...(reasons.length > SHOWN_MAX
      ? [`     and ${reasons.length - SHOWN_MAX} more in Decide or on Checks`]
      : []),
    ...[
      ...closed.since,
      ...linesAboutFiles(report).filter((line) => !closed.since.some((said) => said.includes(line))),
      ...earlyEndLines(report),
      ...unclosedLines(closed),
      ...closed.due,
    ].map((line) => `     ${line}`),
    `     ${folder}`,
  ];
};
