import { add, sum } from '../../kernel/money.ts';
import { NO_CERTIFICATE, NOT_CHECKED } from '../certificates/sale-exemption.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted, type References } from '../workbook/references.ts';
import type { PeriodReport } from './period-report.ts';

const relievedAt = (at: References, mark: string): string =>
  at.sumIfs('Detail', 'Tax relieved', { Certificate: quoted(mark) });

/** The tie between the certificates and the exempt sales of Detail. */
export const certificateChecks = ({ certificates }: PeriodReport): readonly Check[] => {
  const { exempt, usages } = certificates;
  const without = add(exempt.unsupported.relieved, exempt.unchecked.relieved);
  const certified = sum(usages.map(({ relieved }) => relieved));
  return [
    {
      id: 'E01',
      test: 'The tax relieved by certificate, and that without one, is all the tax relieved in Detail.',
      format: 'money',
      left: formula(
        (at) =>
          `ROUND(${at.sum('Certificates', 'Tax relieved')}+${relievedAt(at, NO_CERTIFICATE)}+${relievedAt(at, NOT_CHECKED)},2)`,
        add(certified, without),
      ),
      right: formula((at) => at.sum('Detail', 'Tax relieved'), add(exempt.certified.relieved, without)),
      link: { sheet: 'Certificates' },
    },
  ];
};
