// A supervised child with a child of its own, both of which ignore SIGTERM when told to.
import { spawn } from 'node:child_process';

const isStubborn = process.argv[2] === 'stubborn';
if (isStubborn) process.on('SIGTERM', () => undefined);
else process.on('SIGTERM', () => process.exit(0));
const ignoreTerm = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);";
const grandchild = spawn(process.execPath, ['-e', ignoreTerm], { stdio: 'ignore' });
console.log(`pids ${process.pid} ${grandchild.pid}`);
setInterval(() => undefined, 1000);
