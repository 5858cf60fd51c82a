import type { Certificate } from '../../src/certificates/certificate.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';

/** A resale certificate of ACME-1 for California from 2024 to 2027, with some of it changed. */
export const certificateOf = (changes: Partial<Certificate> = {}): Certificate => ({
  name: changes.id ?? 'RC-1',
  id: 'RC-1',
  customer: 'ACME-1',
  states: ['CA'],
  reason: 'resale',
  type: 'wholesale',
  validFrom: calendarDate('2024-01-01'),
  validTo: calendarDate('2027-12-31'),
  channel: null,
  document: null,
  origin: { file: 'register.csv', line: 2, record: 'RC-1' },
  ...changes,
});
