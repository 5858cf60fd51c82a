import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startThread, type Thread } from '../../src/runtime/thread.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { printedBy } from './printed-by.ts';

const begun: Thread[] = [];
const start = (data: unknown = undefined): Thread => {
  const thread = startThread(new URL('./answering-thread.ts', import.meta.url), data);
  begun.push(thread);
  return thread;
};
afterEach(async () => {
  for (const thread of begun.splice(0)) await thread.close();
});

it('answers with what it was handed', async () => {
  expect(await start({ entity: 'harbor' }).ask('data')).toEqual({ entity: 'harbor' });
});

it('begins with room for new objects, because it may not grow where this thread holds its own', async () => {
  expect(await start().ask('young MB')).toBeGreaterThanOrEqual(16);
});

/** How often V8 compiles calls out of WebAssembly again, while a thread in a process of its own loads modules. */
const compiledAnew = async (beginning: string): Promise<number> => {
  const log = join(await temporaryFolder(), 'v8.log');
  const program = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { startThread } from '${new URL('../../src/runtime/thread.ts', import.meta.url).href}';
    const module = new URL('${new URL('./answering-thread.ts', import.meta.url).href}');
    ${beginning}`;
  await printedBy(program, ['--log-code', `--logfile=${log}`, '--no-logfile-per-isolate']);
  return (await readFile(log, 'utf8')).split('wasm-to-js').length - 1;
};

it('lets no code of WebAssembly be replaced, which V8 now and then frees twice', async () => {
  const plain = `
    const worker = new Worker(module);
    worker.postMessage({ number: 1, message: 'load many modules' });
    await once(worker, 'message');
    worker.postMessage('end');`;
  const started = `
    const thread = startThread(module);
    await thread.ask('load many modules');
    await thread.close();`;
  expect(await compiledAnew(plain)).toBeGreaterThan(0);
  expect(await compiledAnew(started)).toBe(0);
});

it('passes on a designed error with its code, and any other as it was', async () => {
  const thread = start();
  await expect(thread.ask('designed error')).rejects.toMatchObject({
    code: 'E_RUN_LOCKED',
    recovery: 'wait',
  });
  await expect(thread.ask('defect')).rejects.toThrow(new RangeError('out of it'));
  expect(await thread.ask('data')).toBeUndefined();
});

it('says in the end what hindered it from putting away what it holds', async () => {
  const thread = startThread(new URL('./answering-thread.ts', import.meta.url), 'hold on');
  expect(await thread.ask('data')).toBe('hold on');
  await expect(thread.close()).rejects.toMatchObject({ code: 'E_RUN_LOCKED', recovery: 'wait' });
});

it('leaves off what belongs to the signal, and nothing else', async () => {
  const thread = start();
  const [first, second] = [new AbortController(), new AbortController()];
  let isSecondOver = false;
  const works = [thread.ask('long work', first.signal), thread.ask('long work', second.signal)];
  works[1]?.catch(() => {
    isSecondOver = true;
  });
  first.abort();
  await expect(works[0]).rejects.toMatchObject({ code: 'E_STOPPED' });
  expect(isSecondOver).toBe(false);
  second.abort();
  await expect(works[1]).rejects.toMatchObject({ code: 'E_STOPPED' });
});

it('that dies fails what was asked of it, and what is asked later', async () => {
  const thread = start();
  await expect(thread.ask('death')).rejects.toMatchObject({ code: 'E_DEFECT' });
  await expect(thread.ask('data')).rejects.toMatchObject({ code: 'E_DEFECT' });
});

it('that throws what no one catches fails with that', async () => {
  await expect(start().ask('uncaught error')).rejects.toThrow('no one caught it');
});
