import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rounded, type Part } from './report.ts'

/** Bars in seconds. */
const bars = { first: 90, again: 8 }

/** Seconds from `npm start` until the service is ready, from an installed and built tree. */
export async function startTimes(): Promise<Part> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'))
  const part: Part = { title: 'npm start from an installed and built tree, until it serves', rows: [], missed: [] }
  const add = (start: string, seconds: number, bar: number) => {
    part.rows.push({ start, seconds: rounded(seconds), 'bar s': bar })
    if (seconds > bar) part.missed.push(`${start}: ${rounded(seconds)} s, ${bar} allowed`)
  }
  try {
    add('first: makes the database and the school of 6,000 students', await startOnce(dataDir), bars.first)
    add('again', await startOnce(dataDir), bars.again)
    return part
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const began = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO_STUDENTS: '6000', NODE_ENV: '' }
  // in a group of its own, so that a signal reaches npm and the program like Ctrl-C in a terminal does
  const child = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const seconds = await new Promise<number>((ready, failed) => {
    child.stdout.on(
      'data',
      (text) => (said += String(text)).includes('已启动') && ready((performance.now() - began) / 1000),
    )
    child.once('exit', (code) => failed(new Error(`npm start ended with ${code}: ${said}`)))
  })
  child.removeAllListeners('exit')
  const ended = once(child, 'exit')
  process.kill(-child.pid!, 'SIGINT')
  await ended
  return seconds
}
