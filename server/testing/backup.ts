import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll } from 'vitest'
import { makeIdentity } from '../core/backup/keys.ts'
import { bundledFile } from '../core/base/bundled-file.ts'
import type { Connection } from '../core/database/connection.ts'
import { jobChannel } from '../core/jobs/jobs.ts'
import { joinRunning } from '../core/postgres/embedded.ts'
import { runningPostmaster, shutDown } from '../core/postgres/postmaster.ts'

export interface Command {
  child: ChildProcess
  ended: Promise<{ code: number | null; said: string }>
}

/** The commands about backups as processes of their own, with a key pair and folders that go when the file is done. */
export async function backupCommands() {
  const program = fileURLToPath(bundledFile(new URL('../main.ts', import.meta.url)))
  const folder = mkdtempSync(join(tmpdir(), 'console-backup-'))
  // the user PostgreSQL runs as must get in
  chmodSync(folder, 0o755)
  const identity = join(folder, 'key.txt')
  const settings = {
    BACKUP_RECIPIENTS: await makeIdentity(identity, '2026-11-23 02:30:00'),
    BACKUP_IDENTITY: identity,
  }
  const dataDirs = new Set<string>()

  function begin(words: readonly string[], more: Record<string, string>): Command {
    if (more['DATA_DIR']) dataDirs.add(more['DATA_DIR'])
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH: process.env['PATH'], ...settings, ...more } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    return { child, ended: new Promise((done) => child.on('close', (code) => done({ code, said }))) }
  }

  afterAll(async () => {
    for (const dataDir of dataDirs) {
      const link = join(dataDir, 'postgres')
      const cluster = existsSync(link) ? realpathSync(link) : undefined
      const left = cluster && runningPostmaster(cluster)
      if (left) await shutDown(cluster!, left.pid)
    }
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    folder,
    settings,
    begin,
    run: (words: readonly string[], more: Record<string, string>) => begin(words, more).ended,
  }
}

/** A connection of the owner to the database of a data folder that a program runs on, or to another one. */
export async function ownerOf(database: string | Connection): Promise<pg.Client> {
  const client = new pg.Client(typeof database === 'string' ? joinRunning(database)! : database)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Makes a recurring job of the program that runs on a data folder due now, and tells the program to look. */
export async function makeDue(dataDir: string, kind: string): Promise<void> {
  await rowsOf(dataDir, `update job set "runAt" = now() - interval '1 second' where "jobKind" = $1`, [kind])
  await rowsOf(dataDir, `select pg_notify($1, '')`, [jobChannel])
}

/** Rows of one query by the owner. */
export async function rowsOf<R extends pg.QueryResultRow>(
  database: string | Connection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = await ownerOf(database)
  return client
    .query<R>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}
