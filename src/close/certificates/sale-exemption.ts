import type { Money } from '../../kernel/money.ts';
import type { Exemption } from './exemption-of.ts';
import type { ExemptingType } from './exemption-reason.ts';

/** The exemption of one reconciled sale, stored with its figures. */
export type SaleExemption = {
  readonly type: ExemptingType;
  readonly standing: Exclude<Exemption['standing'], 'none'>;
  /** Name of the supporting certificate. */
  readonly certificate: string | null;
  /** Why no certificate supports it, or how the reason of the certificate differs; usually empty. */
  readonly lack: string;
  /** Tax relieved, negative for a refund; `null` when unknown. */
  readonly relieved: Money | null;
};

/** Shown instead of a certificate when the exempt sale has none. */
export const NO_CERTIFICATE = '(none)';
export const NONE_BY_DECISION = '(none: decided)';

/** All of these marks. */
export const WITHOUT_CERTIFICATE = [NO_CERTIFICATE, NONE_BY_DECISION] as const;

/** The certificate of an exempt sale as Detail shows it. */
export const certificateMark = ({ certificate }: SaleExemption): string => certificate ?? NO_CERTIFICATE;
