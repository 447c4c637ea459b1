import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { doing, say } from './progress.mjs'

/**
 * `npm run demo:big`: starts the program on a university of 40,000 students with 1,000,000 participations, the school
 * of the benchmarks, in a folder of its own. The school is made at the first start, which takes some minutes;
 * `BENCH_STUDENTS` makes one of another size, in proportion, and `BENCH_YEARS=10` one of ten years.
 */
const folder = resolve(process.env['DATA_DIR'] ?? 'data/big')
process.env['BENCH_DATA'] = folder
const { openBench, size } = await import('../bench/prepare.ts')
say(`${size.students} 名学生的演示学校：${folder}`)
const school = await openBench(doing)
await school.close()

const program = spawn(process.execPath, ['scripts/start.mjs'], {
  stdio: 'inherit',
  env: { ...process.env, DATA_DIR: folder },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal))
program.on('exit', (code) => process.exit(code ?? 1))
