import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import {
  type CertificateFinding,
  findingsOfRegister,
  findingsOfUsage,
} from '../../certificates/certificate-findings.ts';
import { type CertificateReport, certificateGatherer } from '../../certificates/certificate-report.ts';
import type { RegisterFile } from '../../certificates/read-register.ts';
import type { InputFile } from '../../figures/period-report.ts';
import { registerFilesOf } from '../../workspace/certificate-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ExemptSales } from '../book-pages/exempt-sales.ts';

/** Takes the exempt sales of a period page by page, and tells what is to be said about their exemptions. */
export type ExemptionGatherer = {
  /** @param rows how many sales the page has */
  readonly join: (page: ExemptSales, rows: number) => void;
  readonly report: () => CertificateReport;
  readonly findings: () => readonly CertificateFinding[];
  /** The files of the register among the inputs. */
  readonly inputs: readonly InputFile[];
};

export const exemptionGatherer = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<ExemptionGatherer> => {
  const files = await registerFilesOf(workspace);
  const register = files.length === 0 ? undefined : files.flatMap(({ certificates }) => certificates);
  const gatherer = certificateGatherer(register, period.last);
  const found: CertificateFinding[] = files.flatMap(({ problems }) =>
    problems.map((problem) => ({ ...problem, state: '', effect: ZERO })),
  );
  let before = 0;
  return {
    join: ({ sales, findings }, rows) => {
      for (const sale of sales) gatherer.add({ ...sale, position: before + sale.position });
      found.push(...findings);
      before += rows;
    },
    report: gatherer.report,
    findings: () => {
      const report = gatherer.report();
      return [
        ...found,
        ...report.usages.flatMap((usage) => findingsOfUsage(usage, period)),
        ...findingsOfRegister(report, period),
      ];
    },
    inputs: files.map(inputOf),
  };
};

const inputOf = ({ path, sha256, bytes, rows, used, ignored, rejected }: RegisterFile): InputFile => ({
  ...{ path, sha256, bytes, rows, used, ignored, rejected },
  channel: 'certificates',
  profile: 'certificates',
  records: { accepted: used, warning: 0, review: 0, ignored, rejected },
  columns: [],
  notices: [],
});
