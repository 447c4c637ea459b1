import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledFile } from '../server/core/base/bundled-file.ts'

export interface Usage {
  memory: number
  cpu: number
}

/** What a server of ours answers to any message. */
export function answerUsage(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ memory: process.memoryUsage.rss(), cpu: (user + system) / 1000 } satisfies Usage)
  })
}

/** A server of ours in a process of its own. */
export interface Server {
  address: string
  /** Resident memory in bytes, and processor time so far in milliseconds. */
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/** `BENCH_PROFILE` names a folder into which each server writes what it spent its time on, for Chromium's tools. */
const profileFolder = process.env['BENCH_PROFILE']
const profiled = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : []

/** A program looks for its threads beside itself, as they lie in the built service. */
function putThreadsBeside(program: string): void {
  const sources = new URL('../server/', import.meta.url)
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.worker.ts'))
      writeFileSync(
        join(dirname(program), `${basename(file, '.ts')}.js`),
        `import(${JSON.stringify(bundledFile(new URL(file, sources)).href)})`,
      )
}

/**
 * Starts one of the programs of this folder, and waits until it tells its port. Each runs as JavaScript that was made
 * beforehand, as the built service does: a loader of TypeScript would give every function its name anew whenever it is
 * made, which costs a server of many small functions more than one of few.
 */
export async function startServer(
  file: 'service.ts' | 'web-service.ts' | 'bare.ts',
  argument: string,
  execArgv: string[] = [],
  settings: Record<string, string> = {},
): Promise<Server> {
  const program = fileURLToPath(bundledFile(new URL(file, import.meta.url)))
  putThreadsBeside(program)
  const child = fork(program, [argument, JSON.stringify(settings)], {
    execArgv: [...profiled, ...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const first = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
  ])
  const { port } = first[0] as { port: number }
  return {
    address: `http://127.0.0.1:${port}`,
    async usage() {
      const answer = once(child, 'message')
      child.send('usage')
      return (await answer)[0] as Usage
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
