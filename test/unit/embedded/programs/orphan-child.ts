import { exitWithParent } from '../../../../src/embedded/child.ts';

exitWithParent();
console.log(`pid ${process.pid}`);
setInterval(() => undefined, 1000);
