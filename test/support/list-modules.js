// Prints the address of every module that the process loads after this one.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    process.stdout.write(`module ${url}\n`);
    return next(url, context);
  },
});
