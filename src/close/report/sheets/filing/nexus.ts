import { rate } from '../../../../kernel/rate.ts';
import type { PeriodFiling } from '../../../figures/period-filing.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import type { NexusWatch } from '../../../filing/nexus/nexus-watch-of.ts';
import { quoted } from '../../../workbook/references.ts';
import { defineSheet, filled } from '../../../workbook/sheet.ts';

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
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    {
      title: 'Status',
      width: 13,
      format: 'status',
      value: ({ status }) => status,
      flag: ({ status }) => (status === 'crossed' || status === 'close' ? 'attention' : undefined),
    },
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
    { title: 'Sales that count', width: 13, format: 'money', value: ({ sales }) => sales },
    { title: 'Sales threshold', width: 13, format: 'money', value: ({ rule }) => rule.sales },
    { title: 'Number that counts', width: 10, format: 'count', value: ({ transactions }) => transactions },
    { title: 'Number threshold', width: 11, format: 'count', value: ({ rule }) => rule.transactions },
    {
      title: 'Both needed',
      width: 9,
      format: 'yes-no',
      value: ({ rule }) => rule.transactions !== undefined && rule.combine === 'and',
    },
    {
      title: 'Projected crossing',
      width: 12,
      format: 'date',
      value: ({ projectedCrossing }) => projectedCrossing,
    },
    { title: 'All sales', width: 13, format: 'money', value: ({ gross }) => gross },
    { title: 'On marketplaces', width: 15, format: 'money', value: ({ marketplace }) => marketplace },
    { title: 'Measured', width: 14, format: 'text', value: ({ first, last }) => `${first} to ${last}` },
    { title: 'Months missing', width: 9, format: 'count', value: ({ monthsMissing }) => monthsMissing },
    { title: 'Rule', width: 26, format: 'text', value: ruleText },
    {
      title: 'Source',
      width: 38,
      format: 'text',
      value: (watch) =>
        [sourceText(watch.rule.sources), watch.rule.note?.replace(/\.$/, ''), unseen(watch)]
          .filter(Boolean)
          .join('. '),
    },
  ],
});

export const nexusSheet = ({ nexus }: PeriodFiling) => filled(NEXUS_WATCH, nexus);
