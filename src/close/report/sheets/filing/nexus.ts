import { rate } from '../../../../kernel/money.ts';
import type { PeriodFiling } from '../../../figures/period-filing.ts';
import { sourceNames } from '../../../filing/law-row.ts';
import type { NexusWatch } from '../../../filing/nexus.ts';
import { quoted } from '../../../workbook/references.ts';
import { defineSheet, filled } from '../../../workbook/sheet.ts';
import { count, day, money, word, words, yesNo } from '../columns.ts';

/** A hundredth of a percent in ten-millionths. */
const BASIS_POINT = 1_000;

/** Names the parts of the rule that were not verified against a source. */
const unseen = ({ rule }: NexusWatch): string => {
  const parts = [
    rule.verified === false ? 'the threshold' : '',
    rule.basisVerified ? '' : 'which sales count',
    rule.marketplaceVerified ? '' : 'whether marketplace sales count',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Not verified: ${parts.join(', ')}`;
};

const ruleText = ({ rule }: NexusWatch): string =>
  `${rule.window}; ${rule.basis} sales ${rule.marketplace ? 'with' : 'without'} marketplaces`;

/** How close the seller is to the duty to collect, state by state. */
const NEXUS_WATCH = defineSheet<NexusWatch>({
  name: 'Nexus',
  table: 'Nexus_watch',
  title: 'Nexus: how close each state is to its threshold',
  note: 'Of every month as it was last closed here; the crossing is projected at the pace of the last three months, within a year.',
  freeze: { columns: 1 },
  columns: [
    word('State', 8, ({ state }) => state),
    word('Status', 13, ({ status }) => status, {
      flag: ({ status }) => (status === 'crossed' || status === 'close' ? 'attention' : undefined),
    }),
    {
      title: 'Reached',
      width: 10,
      format: 'percent',
      value: ({ reached }) => rate(reached * BASIS_POINT),
      formula: (at) => {
        const part = (count: string, limit: string) =>
          `INT(MAX(0,ROUND(${at.cell(count)}*10000/${at.cell(limit)},6)))/10000`;
        const sales = part('Sales that count', 'Sales threshold');
        const number = part('Number that counts', 'Number threshold');
        const both = `IF(${at.cell('Both needed')}=${quoted('Yes')},MIN(${sales},${number}),MAX(${sales},${number}))`;
        return `IF(${at.cell('Number threshold')}=0,${sales},${both})`;
      },
    },
    money('Sales that count', 13, ({ sales }) => sales),
    money('Sales threshold', 13, ({ rule }) => rule.sales),
    count('Number that counts', 10, ({ transactions }) => transactions),
    count('Number threshold', 11, ({ rule }) => rule.transactions),
    yesNo('Both needed', 9, ({ rule }) => (rule.transactions && rule.combine === 'and') || undefined),
    day('Projected crossing', 12, ({ projectedCrossing }) => projectedCrossing),
    money('All sales', 13, ({ gross }) => gross),
    money('On marketplaces', 13, ({ marketplace }) => marketplace || undefined),
    words('Measured', 16, ({ first, last }) => `${first.slice(0, 7)}–${last.slice(0, 7)}`),
    count('Months missing', 9, ({ monthsMissing }) => monthsMissing),
    words('Rule', 60, (watch) =>
      [ruleText(watch), watch.rule.note?.replace(/\.$/, ''), unseen(watch)].filter(Boolean).join('. '),
    ),
  ],
});

export const nexusSheet = ({ nexus }: PeriodFiling) => {
  const sources = sourceNames(nexus.flatMap(({ rule }) => rule.sources));
  return filled({ ...NEXUS_WATCH, note: `${NEXUS_WATCH.note} Thresholds: ${sources}.` }, nexus);
};
