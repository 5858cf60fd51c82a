import { rate } from '../../../../kernel/rate.ts';
import type { PeriodFiling } from '../../../figures/period-filing.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import type { NexusWatch } from '../../../filing/nexus/nexus-watch-of.ts';
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
  `${rule.window}; ${rule.basis} sales; those on marketplaces ${rule.marketplace ? 'count' : 'do not count'}`;

/** How close the seller is to the duty to collect, state by state. */
const NEXUS_WATCH = defineSheet<NexusWatch>({
  name: 'Nexus',
  table: 'Nexus_watch',
  title: 'Nexus: how close each state is to its threshold',
  note: 'Sales count as each state has it, of every month as it stood when it was last closed here; months that were never closed here are missing. The crossing is projected at the pace of the last three months; where none is given, the threshold is met already or not within a year.',
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
    yesNo('Both needed', 9, ({ rule }) => rule.transactions !== undefined && rule.combine === 'and'),
    day('Projected crossing', 12, ({ projectedCrossing }) => projectedCrossing),
    money('All sales', 13, ({ gross }) => gross),
    money('On marketplaces', 15, ({ marketplace }) => marketplace),
    words('Measured', 14, ({ first, last }) => `${first} to ${last}`),
    count('Months missing', 9, ({ monthsMissing }) => monthsMissing),
    words('Rule', 26, ruleText),
    words('Source', 38, (watch) =>
      [sourceText(watch.rule.sources), watch.rule.note?.replace(/\.$/, ''), unseen(watch)]
        .filter(Boolean)
        .join('. '),
    ),
  ],
});

export const nexusSheet = ({ nexus }: PeriodFiling) => filled(NEXUS_WATCH, nexus);
