import cluster from 'node:cluster'

/** The program itself, or one of the processes that it starts to answer requests. */
if (cluster.isPrimary) await (await import('./program.ts')).runProgram(import.meta.url)
else await import('./web-process.ts')
