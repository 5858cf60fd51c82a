import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceOrigin } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Makes stack traces show files and lines of the sources instead of the build. A source map is read only when a trace
 * includes its file: Node's own support would read the maps of all files at every start.
 */
export const traceSources = (): void => {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(String(frame))}`)].join('\n');
};

const BUILT = new URL('.//', import.meta.url).href;
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/;

const inSources = (frame: string): string =>
  frame.replace(PLACE, (place, file: string, line: string, column: string) => {
    const map = file.startsWith(BUILT) ? mapOf(file) : undefined;
    const origin: Partial<SourceOrigin> = map?.findOrigin(Number(line), Number(column)) ?? {};
    if (origin.fileName === undefined) return place;
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });

const maps = new Map<string, SourceMap | undefined>();

const mapOf = (file: string): SourceMap | undefined => {
  if (!maps.has(file)) {
    const path = fileURLToPath(`${file}.map`);
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
  }
  return maps.get(file);
};
