import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Add to package-lock.json the packages for other platforms that the registry at hand did not serve when the lock
 * was made. npm leaves them out then, and later refuses a lock without them, here and everywhere else. They are
 * never installed on a platform that they are not for.
 */

type Locked = {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const PLATFORM =
  /(?<os>android|darwin|freebsd|linux|win32|openharmony)-(?<cpu>x64|arm64|arm|ia32|ppc64|riscv64|s390x)(?:-(?<libc>musl|gnu)\b)?/;

/** The optional packages that the lock's own packages name and the lock does not hold. */
export const missingFrom = (packages: Readonly<Record<string, Locked>>): ReadonlyMap<string, Locked> => {
  const missing = new Map<string, Locked>();
  for (const [path, { optionalDependencies, dev, license }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (place in packages || `${path}/${place}` in packages) continue;
      const { os, cpu, libc } = PLATFORM.exec(name)?.groups ?? {};
      missing.set(place, {
        version: range.replace(/^[\^~]/, ''),
        ...(cpu && { cpu: [cpu] }),
        ...(dev && { dev }),
        ...(libc && { libc: [libc === 'musl' ? 'musl' : 'glibc'] }),
        ...(license && { license }),
        optional: true,
        ...(os && { os: [os] }),
      });
    }
  }
  return missing;
};

const complete = (path: string): void => {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Locked> };
  const all = { ...lock.packages, ...Object.fromEntries(missingFrom(lock.packages)) };
  const sorted = Object.fromEntries(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  complete(fileURLToPath(new URL('../package-lock.json', import.meta.url)));
}
