import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import { type CertificateFinding, findingsOfUsage } from '../../certificates/certificate-findings.ts';
import type { EvidenceLogs } from '../../evidence/logs.ts';
import { periodSums } from '../../evidence/sums.ts';
import type { InputFile } from '../../figures/period-report.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { alikeOrders } from '../../reconcile/alike-orders.ts';
import type { ExceptionList } from '../../reconcile/exception-list.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { lateOn } from '../../workspace/carried-sales.ts';
import { registerFilesOf } from '../../workspace/certificate-files.ts';
import { bookPage } from '../book-pages/book-page.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { inputOf } from './companion-input.ts';
import { refundedOrders } from './refund-links.ts';

/** The sums of a period's sales, joined from its pages while these are logged. */
export type GatheredSales = Awaited<ReturnType<typeof gatherSales>>;

export const gatherSales = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { logs, exceptions }: { readonly logs: EvidenceLogs; readonly exceptions: ExceptionList },
) => {
  const { workspace, configuration } = ports;
  const [figures, stated] = [setDigest(), setDigest()];
  const files = await registerFilesOf(workspace);
  const settings = {
    period,
    registrations: configuration.registrations,
    late: await lateOn(workspace, period),
    refunded: await refundedOrders(workspace, period),
    certificates: files.length === 0 ? undefined : files.flatMap(({ certificates }) => certificates),
  };
  const all = periodSums(settings, exceptions.add);
  const alike = alikeOrders();
  const hasChannels = configuration.channels.length > 1;
  for await (const page of salesOf(workspace, period)) {
    const { entries, sums } = await bookPage(ports, period, page);
    await logs.write({ entries });
    all.join(sums);
    figures.join(sums.figures);
    stated.join(sums.stated);
    if (hasChannels)
      for (const [key, order] of sums.orders) alike.see({ ...order, key, channel: nameOfKey(key).channel });
  }
  all.end();
  const problems = files.flatMap((file) =>
    file.problems.map((problem): CertificateFinding => ({ ...problem, state: '', effect: ZERO })),
  );
  return {
    ...{ ...all, figures, stated, alike: alike.found() },
    /** What is to be seen of the certificates. */
    certificateFindings: (): readonly CertificateFinding[] => [
      ...problems,
      ...all.exemptFindings(),
      ...all.certificates().usages.flatMap((usage) => findingsOfUsage(usage, period)),
    ],
    /** The files of the register among the inputs. */
    registerInputs: files.map((file): InputFile => inputOf(file, 'certificates')),
  };
};
