import { periodOf } from './close-options.ts';

/** The name of a period or of an amended version, as it was given. @throws {TieoutError} E_PERIOD */
export const periodLabel = (text: string): string => periodOf(text).label;
