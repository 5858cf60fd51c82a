import { type Instant, parseInstant } from '../../kernel/calendar.ts';

/** Read a date cell such as `2026-10-31 23:30:00 -0700`, whose offset is part of the cell. */
export const dateCell = (text: string): Instant | undefined => {
  const parts = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}|UTC)$/.exec(text);
  if (!parts) return undefined;
  return parseInstant(`${parts[1]}T${parts[2]}${parts[3] === 'UTC' ? 'Z' : parts[3]}`);
};
