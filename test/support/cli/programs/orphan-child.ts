import { exitWithParent } from '../../../../src/server/runtime/exit-with-parent.ts';

exitWithParent();
console.log(`pid ${process.pid}`);
setInterval(() => undefined, 1000);
