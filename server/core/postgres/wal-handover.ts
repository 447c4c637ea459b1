import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, chown, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './cluster-location.ts'

/**
 * Takes the files of the WAL that PostgreSQL has finished. It is asked again for what failed, and after a
 * crash perhaps for what it has already.
 */
export interface WalArchive {
  /** Keeps one file for good; resolves once it would survive a power cut. */
  keep(file: { name: string; path: string; cluster: string }): Promise<void>
  /** Told when keeping fails, and with undefined when it works again. */
  onFault(fault: Error | undefined): void
}

/** Seconds of writing after which a file of the WAL is handed over even though it is not full. */
const archiveTimeoutSeconds = 180
/** Milliseconds between looks for finished files, and before one that failed is tried again. */
const lookEveryMs = 300
const tryAgainMs = 5000

const markersIn = (socketDir: string): string => join(socketDir, 'archived')

/** As one word of the shell, in a setting where PostgreSQL replaces what follows a percent sign. */
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`

/**
 * Settings by which PostgreSQL keeps each file of its WAL until this program has said, by a marker, that it is in
 * the archive. The command that it runs only waits for the marker: it needs neither Node nor the rights of the program.
 */
export function archiveSettings(socketDir: string): Record<string, string> {
  const folder = quoted(markersIn(socketDir))
  return {
    archive_mode: 'on',
    archive_timeout: `${archiveTimeoutSeconds}s`,
    archive_command:
      `i=0; while [ $i -lt 100 ]; do [ -e ${folder}/%f.ok ] && exit 0; [ -e ${folder}/failed ] && exit 1; ` +
      'i=$((i+1)); sleep 0.1; done; exit 1',
  }
}

/** What PostgreSQL calls the files that wait: segments, histories of timelines, notes of base backups. */
const waiting = /^([0-9A-F]{24}(\.[0-9A-F]{8}\.backup|\.partial)?|[0-9A-F]{8}\.history)\.ready$/

/** Histories first, as PostgreSQL itself does it: without them a file of a new timeline cannot be understood. */
const inOrder = (one: string, other: string): number =>
  Number(other.endsWith('.history')) - Number(one.endsWith('.history')) || (one < other ? -1 : 1)

/**
 * Hands finished files of the WAL to the archive until it is stopped.
 * @returns a function that stops it, once the file at hand is done
 */
export function handOverWal(cluster: string, socketDir: string, archive: WalArchive): () => Promise<void> {
  const markers = markersIn(socketDir)
  mkdirSync(markers, { recursive: true, mode: 0o755 })
  const status = join(cluster, 'pg_wal', 'archive_status')
  const failed = join(markers, 'failed')
  const stopping = new AbortController()
  // of the program before, where the server was taken over
  rmSync(failed, { force: true })
  let isFailing = false

  let areHistoriesKept = false

  async function look(): Promise<void> {
    if (!areHistoriesKept) await keepHistories()
    const names = readdirSync(status)
      .filter((name) => waiting.test(name))
      .map((name) => name.slice(0, -'.ready'.length))
      .toSorted(inOrder)
    for (const marker of readdirSync(markers))
      if (marker.endsWith('.ok') && !names.includes(marker.slice(0, -'.ok'.length))) await rm(join(markers, marker))
    for (const name of names) {
      const marker = join(markers, `${name}.ok`)
      if (existsSync(marker)) continue
      await archive.keep({ name, path: join(cluster, 'pg_wal', name), cluster })
      writeFileSync(marker, '')
      if (!isFailing) continue
      isFailing = false
      await rm(failed, { force: true })
      archive.onFault(undefined)
    }
  }

  /** A timeline may have begun while nothing was archived; without its history nobody could tell where it leads. */
  async function keepHistories(): Promise<void> {
    for (const name of readdirSync(join(cluster, 'pg_wal')).filter((one) => /^[0-9A-F]{8}\.history$/.test(one)))
      await archive.keep({ name, path: join(cluster, 'pg_wal', name), cluster })
    areHistoriesKept = true
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = lookEveryMs
      try {
        await look()
      } catch (error) {
        pauseMs = tryAgainMs
        isFailing = true
        // the socket's folder may be gone already when the server has ended
        if (existsSync(markers)) writeFileSync(failed, '')
        if (!stopping.signal.aborted) archive.onFault(error as Error)
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}

/** Gives back files of the WAL while PostgreSQL recovers. */
export interface WalSource {
  /** Writes a file of the archive to a path; false where the archive does not have it. */
  fetch(name: string, path: string): Promise<boolean>
}

/** Answers PostgreSQL's requests for files of the WAL in a folder that it may enter. */
interface WalServing {
  /** The setting by which PostgreSQL asks. */
  restoreCommand: string
  /** What made a file unreadable; recovery breaks off then. */
  fault(): Error | undefined
  stop(): Promise<void>
}

/** Exit code of the command by which recovery breaks off, where any other one says that the WAL ends here. */
const breakOff = 126

/** @param folder empty, of its own; the user PostgreSQL runs as gets it */
export function serveWal(folder: string, runAs: RunAs | undefined, source: WalSource): WalServing {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
  const stopping = new AbortController()
  let fault: Error | undefined
  const at = (name: string): string => join(folder, name)

  async function answer(name: string): Promise<void> {
    const draft = at(`${name}.draft`)
    if (!(await source.fetch(name, draft))) return writeFileSync(at(`${name}.none`), '')
    await chmod(draft, 0o600)
    if (runAs) await chown(draft, runAs.uid, runAs.gid)
    await rename(draft, at(`${name}.file`))
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const wanted of readdirSync(folder).filter((name) => name.endsWith('.want'))) {
          rmSync(at(wanted))
          await answer(wanted.slice(0, -'.want'.length))
        }
      } catch (error) {
        fault ??= error as Error
        writeFileSync(at('failed'), '')
      }
      await sleep(20, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  const inside = quoted(folder)
  return {
    restoreCommand:
      `rm -f ${inside}/%f.none; : > ${inside}/%f.want; i=0; while [ $i -lt 6000 ]; do ` +
      `[ -e ${inside}/%f.file ] && exec mv ${inside}/%f.file "%p"; [ -e ${inside}/%f.none ] && exit 1; ` +
      `[ -e ${inside}/failed ] && exit ${breakOff}; i=$((i+1)); sleep 0.02; done; exit ${breakOff}`,
    fault: () => fault,
    async stop() {
      stopping.abort()
      await running
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
