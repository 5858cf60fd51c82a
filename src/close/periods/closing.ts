import { type DetailedSale, figuresText } from '../period-sales/detailed-sales.ts';

/** Returns the text of a sale with its figures that goes into the digest of the workbooks' inputs. */
export const figuredText = (detailed: DetailedSale): string =>
  JSON.stringify([detailed.sale.key, detailed.digest, figuresText(detailed)]);
