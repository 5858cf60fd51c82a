import { styleText } from 'node:util';
import type { Paint, Tone } from '../cli/io.ts';

const STYLES = { good: 'green', bad: 'red', heading: 'bold' } as const satisfies Record<Tone, string>;

/** Colours text if the terminal supports it. Node respects NO_COLOR, and FORCE_COLOR if there is no terminal. */
export const terminalPaint: Paint = (tone, text, stream = 'stdout') =>
  styleText(STYLES[tone], text, { stream: process[stream] });
