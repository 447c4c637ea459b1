import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { bundledFile } from '../core/base/bundled-file.ts'
import { runningPostmaster, shutDown } from '../core/postgres/postmaster.ts'

export interface Program {
  child: ChildProcess
  /** All it printed so far. */
  output: () => string
  /** Exit code, once it has ended. */
  ended: Promise<number | null>
}

/**
 * The real program as a process of its own on a data folder of this test file, with its embedded database; whatever
 * runs is ended and the folder removed when the file is done.
 * @param settings of every launch; a launch may give more, and the words of a command
 */
export function programs(settings: Record<string, string>) {
  const program = fileURLToPath(bundledFile(new URL('../main.ts', import.meta.url)))
  const dataDir = mkdtempSync(join(tmpdir(), 'console-program-'))
  // the user PostgreSQL runs as must get in
  chmodSync(dataDir, 0o755)
  const cluster = join(dataDir, 'postgres')
  const started = new Set<ChildProcess>()
  let printed = ''

  function launch(more: Record<string, string> = {}, words: readonly string[] = []): Program {
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...settings, ...more } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.add(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => ((text += chunk.toString()), (printed += chunk.toString())))
    const ended = new Promise<number | null>((done) => child.on('close', (code) => done((started.delete(child), code))))
    return { child, output: () => text, ended }
  }

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    const left = runningPostmaster(cluster)
    if (left) await shutDown(cluster, left.pid)
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** `printed` is what all of them printed together. */
  return { dataDir, cluster, launch, printed: () => printed }
}

/** The address a started program printed. */
export async function addressOf({ output }: Program): Promise<string> {
  await expect.poll(output, { timeout: 100_000 }).toMatch(/已启动：http.*\n[^]*按 Ctrl-C|启动失败/)
  return /已启动：(http:\/\/[\d.:]+)/.exec(output())?.[1] ?? expect.unreachable(output())
}

/** Stops it as Ctrl-C does, and sees it end well. */
export async function stopped({ child, ended, output }: Program): Promise<void> {
  child.kill('SIGINT')
  expect(await ended, output()).toBe(0)
}
