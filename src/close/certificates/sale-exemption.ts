import type { Money } from '../../kernel/money.ts';
import type { Exemption } from './exemption-of.ts';
import type { ExemptingType } from './exemption-reason.ts';

/** The exemption of one reconciled sale, as it is kept with its figures. */
export type SaleExemption = {
  readonly type: ExemptingType;
  readonly standing: Exclude<Exemption['standing'], 'none'>;
  /** Name of the certificate that it relies on. */
  readonly certificate: string | null;
  /** Why none supports it, or in what the one that does is for something else; mostly empty. */
  readonly lack: string;
  /** Tax that it relieves, negative for a refund; `null` when no one knows it. */
  readonly relieved: Money | null;
};

/** What stands for the certificate of an exempt sale that has none, or that no one looked for. */
export const NO_CERTIFICATE = '(none)';
export const NONE_BY_DECISION = '(none: decided)';
export const NOT_CHECKED = '(not checked)';

/** Every such mark. */
export const WITHOUT_CERTIFICATE = [NO_CERTIFICATE, NONE_BY_DECISION, NOT_CHECKED] as const;

/** The certificate of an exempt sale as Detail shows it. */
export const certificateMark = ({ standing, certificate }: SaleExemption): string =>
  certificate ?? (standing === 'unchecked' ? NOT_CHECKED : NO_CERTIFICATE);
