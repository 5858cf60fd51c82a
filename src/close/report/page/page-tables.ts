import { add, type Money, subtract } from '../../../kernel/money.ts';
import { mainReasonOf } from '../../figures/parts-of-state.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { type Cluster, clustersOf } from '../../reconcile/clusters.ts';
import type { DecideBand, DecideLine } from '../../reconcile/decide-lines.ts';
import { type Exception, isEffectKnown, isOpen } from '../../reconcile/exceptions.ts';
import { aboutFinding } from '../../reconcile/finding.ts';
import type { JurisdictionTotals, ReasonTotals, StateTotals } from '../../reconcile/period-totals.ts';
import { REASONS } from '../../reconcile/reason.ts';
import { partOf, VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { decisionText } from '../decisions-file.ts';
import { decisionOf } from '../sheets/exceptions.ts';
import type { PageTable } from './page-table.ts';
import { reasonRow, stateRow } from './row-names.ts';

/** A page with more rows than this is slow to search; the workbook has them all. */
export const EXCEPTIONS_MAX = 2000;

export const statesTable = ({
  states,
  stateReasons,
  registrations,
  exceptions,
}: PeriodReport): PageTable<StateTotals> => ({
  id: 'by-state',
  caption: 'By state: posted sales, and collected, expected and recorded tax',
  rows: states,
  rowId: ({ state }) => stateRow(state),
  keys: ({ state }) => ({ state }),
  columns: [
    { title: 'State', cell: ({ state }) => state },
    {
      title: 'Registered since',
      cell: ({ state }) => registrations.find((each) => each.state === state)?.since ?? 'not registered',
    },
    { title: 'Gross', cell: ({ gross }) => ({ amount: gross }) },
    { title: 'Taxable', cell: ({ taxable }) => ({ amount: taxable }) },
    { title: 'Collected', cell: ({ collected }) => ({ amount: collected }) },
    { title: 'Expected', cell: ({ expected }) => ({ amount: expected }) },
    { title: 'Recorded', cell: ({ recorded }) => ({ amount: recorded }) },
    {
      title: 'Variance',
      cell: ({ collected, expected }) => ({ amount: subtract(collected, expected) }),
      link: ({ state }) => ({ href: '#exceptions', search: `state=${state}` }),
    },
    { title: 'Main reason', cell: ({ state }) => mainReasonOf(stateReasons, state) ?? '' },
    {
      title: 'Open exceptions',
      cell: ({ state }) => ({
        count: exceptions.filter((each) => each.state === state && isOpen(each)).length,
      }),
      link: ({ state }) => ({ href: '#exceptions', search: `state=${state} decision=open` }),
    },
  ],
});

/** What a line of Decide waits for, with a sign, so that colour is not needed. */
const STANDINGS: Readonly<Record<DecideBand, string>> = {
  open: '●\u00a0OPEN',
  gap: '●\u00a0OPEN, missing in Tieout',
  cause: '○\u00a0DEFAULT',
  decided: '✓\u00a0DECIDED',
};

const effectCell = ({ effect, isEffectKnown: isKnown }: Pick<DecideLine, 'effect' | 'isEffectKnown'>) =>
  isKnown ? { amount: effect } : 'unknown';

/** A page with more lines than this is slow to search; decisions.csv has them all. */
const LINES_MAX = 500;

export const decideTable = (lines: readonly DecideLine[]): PageTable<DecideLine> => ({
  id: 'decide-lines',
  isStacked: true,
  caption:
    lines.length > LINES_MAX
      ? `Decide: the first ${LINES_MAX} of ${lines.length} lines; decisions.csv has all`
      : 'Decide: one line for each cause and place, what is open first, the largest effect first',
  rows: lines.slice(0, LINES_MAX),
  keys: ({ code, band }) => ({ code, band }),
  columns: [
    { title: 'No.', cell: ({ no }) => no },
    { title: 'Status', cell: ({ band }) => ({ name: STANDINGS[band] }) },
    {
      title: 'Cause',
      cell: ({ name }) => name,
      link: ({ code }) => ({ href: '#exceptions', search: `code=${code}` }),
    },
    { title: 'Place', cell: ({ place }) => place },
    { title: 'What it means', cell: ({ means }) => means },
    { title: 'Effect on tax', cell: effectCell },
    { title: 'What to do', cell: ({ todo }) => todo },
    { title: 'Decision', cell: decisionText },
    { title: 'Why', cell: ({ decision }) => decision?.why ?? '' },
  ],
});

type ReadinessRow = {
  readonly code: string;
  readonly state: string;
  readonly what: string;
  readonly effect: Money;
  readonly todo: string;
};

export const readinessTable = ({
  readiness: { reasons, accepted },
}: PeriodReport): PageTable<ReadinessRow> => ({
  id: 'readiness-reasons',
  caption:
    'Readiness: what to decide or to do before the period is filed. A rate that is missing in Tieout is a limit of Tieout, not an error of the shop.',
  rows: [...reasons, ...accepted.map((gap) => ({ ...gap, todo: `Accepted: ${gap.why}` }))],
  keys: ({ code, state }) => ({ code, state }),
  columns: [
    { title: 'Code', cell: ({ code }) => code },
    { title: 'State', cell: ({ state }) => state },
    { title: 'What', cell: ({ what }) => what },
    { title: 'Effect on tax', cell: ({ effect }) => ({ amount: effect }) },
    { title: 'What to do', cell: ({ todo }) => todo },
  ],
});

export const reasonsTable = ({ reasons }: PeriodReport): PageTable<ReasonTotals> => ({
  id: 'by-reason',
  caption: 'By reason: what explains the variance, and what to do',
  rows: reasons,
  rowId: ({ code }) => reasonRow(code),
  keys: ({ code }) => ({ code }),
  columns: [
    { title: 'Code', cell: ({ code }) => code },
    { title: 'Reason', cell: ({ code }) => REASONS[code].name },
    { title: 'Part', cell: ({ code }) => VARIANCE_PARTS[partOf(code)] },
    { title: 'Meaning', cell: ({ code }) => REASONS[code].meaning },
    {
      title: 'Sales',
      cell: ({ sales }) => ({ count: sales }),
      link: ({ code }) => ({ href: '#exceptions', search: `code=${code}` }),
    },
    { title: 'Over', cell: ({ over }) => ({ amount: over }) },
    { title: 'Under', cell: ({ under }) => ({ amount: under }) },
    {
      title: 'Net',
      cell: ({ over, under }) => ({ amount: add(over, under) }),
      link: ({ code }) => ({ href: '#exceptions', search: `code=${code}` }),
    },
    { title: 'What to do', cell: ({ code }) => REASONS[code].action },
  ],
});

export const jurisdictionsTable = ({ jurisdictions }: PeriodReport): PageTable<JurisdictionTotals> => ({
  id: 'by-jurisdiction',
  caption: 'By jurisdiction: what each body levies at each rate, and what was collected for it',
  rows: jurisdictions,
  keys: ({ state, level }) => ({ state, level }),
  columns: [
    { title: 'State', cell: ({ state }) => state },
    { title: 'Level', cell: ({ level }) => level },
    { title: 'Jurisdiction', cell: ({ name }) => name },
    { title: 'Rate', cell: ({ rate }) => ({ percent: rate }) },
    { title: 'Taxable', cell: ({ taxable }) => ({ amount: taxable }) },
    { title: 'Expected', cell: ({ tax }) => ({ amount: tax }) },
    { title: 'Collected', cell: ({ collected }) => ({ amount: collected }) },
    { title: 'Variance', cell: ({ collected, tax }) => ({ amount: subtract(collected, tax) }) },
  ],
});

export const causesTable = ({ exceptions }: PeriodReport): PageTable<Cluster> => ({
  id: 'causes',
  caption: 'Causes: one line for the exceptions of one cause and place',
  rows: clustersOf(exceptions),
  keys: ({ state, code }) => ({ state, code }),
  columns: [
    { title: 'Code', cell: ({ code }) => ({ name: code }) },
    { title: 'State', cell: ({ state }) => state },
    { title: 'What', cell: ({ message }) => message },
    { title: 'Effect on tax', cell: ({ effect }) => ({ amount: effect }) },
    {
      title: 'Records',
      cell: ({ records }) => ({ count: records }),
      link: ({ code, state }) => ({
        href: '#exceptions',
        search: state === '' ? `code=${code}` : `code=${code} state=${state}`,
      }),
    },
    { title: 'Open', cell: ({ open }) => ({ count: open }) },
  ],
});

export const exceptionsTable = ({ exceptions }: PeriodReport): PageTable<Exception> => ({
  id: 'exceptions',
  caption:
    exceptions.length > EXCEPTIONS_MAX
      ? `Exceptions: the first ${EXCEPTIONS_MAX} of ${exceptions.length}; variance.xlsx has all`
      : 'Exceptions: everything that a person should see, most serious first',
  rows: exceptions.slice(0, EXCEPTIONS_MAX),
  keys: (exception) => ({ state: exception.state, code: exception.code, decision: decisionOf(exception) }),
  columns: [
    { title: 'Code', cell: ({ code }) => ({ name: code }) },
    { title: 'Record', cell: ({ record }) => record },
    { title: 'Severity', cell: ({ severity }) => severity },
    { title: 'State', cell: ({ state }) => state },
    {
      title: 'Effect on tax',
      cell: (exception) => effectCell({ ...exception, isEffectKnown: isEffectKnown(exception) }),
    },
    { title: 'What', cell: ({ message }) => message },
    { title: 'What to do', cell: ({ code, severity }) => aboutFinding(code, severity).todo },
    { title: 'Decision', cell: decisionOf },
    { title: 'Why accepted', cell: ({ accepted }) => accepted },
    { title: 'File', cell: ({ origin }) => ({ name: origin.file }) },
    { title: 'Line', cell: ({ origin }) => ({ count: origin.line }) },
  ],
});
