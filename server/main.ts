import cluster from 'node:cluster'
import { hushExperiments } from './core/base/warnings.ts'
import { withoutJobs } from './setup/without-jobs.ts'

hushExperiments()
/** The program itself, one of the processes that it starts to answer requests, or a command about its backups. */
const [command, ...words] = process.argv.slice(2)
if (!cluster.isPrimary) await import('./web-process.ts')
else if (command === 'backup' || command === 'restore' || command === 'verify')
  await (await import('./setup/backup/command.ts')).runBackupCommand(command, words, import.meta.url, process.env)
else if (command === 'export-school' || command === 'import-school')
  await (await import('./setup/school-archive/command.ts')).runSchoolCommand(command, words, process.env)
else if (command === 'platform')
  await (await import('./setup/platform/command.ts')).runPlatformCommand(words, process.env)
else if (command === 'move-school')
  await (await import('./setup/school-move/command.ts')).runMoveCommand(words, process.env)
else if (command === 'codes') await (await import('./setup/codes/command.ts')).runCodesCommand(words, process.env)
else if (command === 'schools') await (await import('./setup/schools/command.ts')).runSchoolsCommand(words, process.env)
else await (await import('./program.ts')).runProgram(import.meta.url, process.argv.includes(withoutJobs))
