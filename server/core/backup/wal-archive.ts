import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartFault } from '../base/start-fault.ts'
import type { WalArchive, WalSource } from '../postgres/wal-handover.ts'
import type { DecryptionKey, Recipients } from './keys.ts'
import { Meter, readPart, writePart } from './parts.ts'

/**
 * An archive of the WAL and the base backups it is replayed on: `base/` holds the latter, `wal/` the files of
 * the WAL, each encrypted under its name and the SHA-256 of what is in it, `cluster.json` says whose they are.
 */
export const walPath = {
  bases: (place: string) => join(place, 'base'),
  owner: (place: string) => join(place, 'cluster.json'),
  wal: (place: string) => join(place, 'wal'),
  folder: (place: string, name: string) =>
    join(place, 'wal', name.endsWith('.history') ? 'history' : name.slice(0, 16)),
}

/** Bytes of a segment of the WAL. */
const segmentBytes = 16 * 1_048_576

/** A segment as it is called: timeline, and number counted from the beginning of the WAL. */
export interface Segment {
  timeline: number
  number: number
}

const segmentsPerLog = 0x1_0000_0000 / segmentBytes
const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** `000000010000000000000003` -> timeline 1, segment 3. */
export const segmentOf = (name: string): Segment => ({
  timeline: Number.parseInt(name.slice(0, 8), 16),
  number: Number.parseInt(name.slice(8, 16), 16) * segmentsPerLog + Number.parseInt(name.slice(16, 24), 16),
})
/** The name of a segment: timeline 1, segment 3 -> `000000010000000000000003`. */
export const segmentName = ({ timeline, number }: Segment): string =>
  hex(timeline) + hex(Math.floor(number / segmentsPerLog)) + hex(number % segmentsPerLog)

/** `0/3000158` -> the number of the segment it lies in. */
export function segmentAt(lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/')
  return Number.parseInt(high, 16) * segmentsPerLog + Math.floor(Number.parseInt(low, 16) / segmentBytes)
}

/** `0/3000158` as a number of bytes, for comparing. */
export function bytesAt(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The number by which PostgreSQL tells clusters apart; it begins the file of control data. */
export function systemIdentifier(cluster: string): string {
  const file = openSync(join(cluster, 'global', 'pg_control'), 'r')
  try {
    const bytes = Buffer.alloc(8)
    readSync(file, bytes, 0, 8, 0)
    return bytes.readBigUInt64LE().toString()
  } finally {
    closeSync(file)
  }
}

/**
 * The archive at a place, for PostgreSQL to hand its WAL to. Nothing in it is ever written over.
 * @param mayWrite throws where it is not the place of the database of that number; asked each time, for another data
 * folder may have taken it over
 * @param onFault told what went wrong, and with undefined that it works again
 */
export function openWalArchive(
  place: string,
  recipients: Recipients,
  mayWrite: (systemIdentifier: string) => Promise<void>,
  onFault: (fault: Error | undefined) => void,
): WalArchive {
  return {
    onFault,
    async keep({ name, path, cluster }) {
      await mayWrite(systemIdentifier(cluster))
      const plain = await digestOf(path)
      if (/^[0-9A-F]{24}$/.test(name) && plain.bytes !== segmentBytes)
        throw new StartFault(`${name} 有 ${plain.bytes} 字节，不是完整的日志段，没有归档。`)
      const folder = walPath.folder(place, name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const there = (await readdir(folder)).filter((one) => one.startsWith(`${name}-`) && one.endsWith('.age'))
      if (there.some((one) => one !== `${name}-${plain.sha256}.age`))
        throw new StartFault(`归档位置 ${place} 中已有内容不同的 ${name}，没有覆盖。请给每个数据库一个自己的归档位置。`)
      if (there.length === 0) {
        const final = join(folder, `${name}-${plain.sha256}.age`)
        await writePart(`${final}.new`, final, createReadStream(path), recipients)
      }
      await syncFolder(folder)
    },
  }
}

async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const meter = new Meter()
  for await (const _ of meter.through(createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>));
  return { bytes: meter.bytes, sha256: meter.digest() }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Where each file of the WAL lies, by its name. */
export type WalFiles = ReadonlyMap<string, { path: string; sha256: string }>

/** @throws StartFault where a place cannot be read */
export async function listWal(place: string): Promise<WalFiles> {
  const files = new Map<string, { path: string; sha256: string }>()
  const folders = await readdir(walPath.wal(place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartFault(`读不到归档位置 ${place}：${error.message}`)
  })
  for (const folder of folders.toSorted())
    for (const file of await readdir(join(walPath.wal(place), folder))) {
      const [, name, sha256] = /^([0-9A-F.a-z]+)-([0-9a-f]{64})\.age$/.exec(file) ?? []
      if (name && sha256) files.set(name, { path: join(walPath.wal(place), folder, file), sha256 })
    }
  return files
}

/**
 * Decrypts files of the archive for a recovery along timelines. Of each segment only the one of the timeline that leads
 * on is given: where that is missing, PostgreSQL would go on with what another one has in its stead.
 * @param end number of the segment that is not given any more, for it is missing on the timelines
 */
export const walSource = (
  files: WalFiles,
  identity: DecryptionKey,
  timelines: readonly Timeline[],
  end: number | undefined,
): WalSource => ({
  async fetch(name, path) {
    const file = files.get(name)
    if (!file) return false
    if (/^[0-9A-F]{24}$/.test(name)) {
      const { timeline, number } = segmentOf(name)
      if (timeline !== ownerOf(number, timelines).number || (end !== undefined && number >= end)) return false
    }
    await readWal(name, file, identity, path)
    return true
  },
})

async function readWal(
  name: string,
  { path, sha256 }: { path: string; sha256: string },
  identity: DecryptionKey,
  target: string,
): Promise<void> {
  const meter = new Meter()
  await readPart(path, identity)
    .then((plain) => pipeline(plain, meter.through, createWriteStream(target, { mode: 0o600 })))
    .catch((error: Error) => {
      throw new StartFault(`备份已损坏：日志 ${name} 打不开（${error.message}）。`)
    })
  if (meter.digest() !== sha256) throw new StartFault(`备份已损坏：日志 ${name} 的内容与其名称中的校验值不符。`)
}

/** Decrypts a file of the WAL and compares it with the digest in its name. @throws StartFault */
export async function checkWal(
  name: string,
  { path, sha256 }: { path: string; sha256: string },
  identity: DecryptionKey,
): Promise<void> {
  const meter = new Meter()
  try {
    for await (const _ of meter.through((await readPart(path, identity)) as AsyncIterable<Buffer>));
  } catch (error) {
    throw new StartFault(`备份已损坏：日志 ${name} 打不开（${(error as Error).message}）。`)
  }
  if (meter.digest() !== sha256) throw new StartFault(`备份已损坏：日志 ${name} 的内容与其名称中的校验值不符。`)
}

/** A timeline and the position at which the next one leaves it; the last one has no end. */
export interface Timeline {
  number: number
  end: bigint | undefined
  /** Milliseconds since the epoch of the first write on it that the next one does not have, where that is known. */
  leftAt?: number | undefined
}

/** The numbers of the timelines of which there are files. */
export const timelineNumbers = (files: WalFiles): number[] =>
  [...files.keys()].map((name) => Number.parseInt(name.slice(0, 8), 16))

/**
 * The timelines that lead to the newest one of some, the oldest first: each restore to a moment begins a new one, and
 * what was written after that moment on the old one is not part of what goes on.
 * @param found numbers of timelines, such as all that an archive has
 */
export async function timelinesOf(
  files: WalFiles,
  identity: DecryptionKey,
  found: readonly number[],
  scratch: string,
): Promise<Timeline[]> {
  const newest = Math.max(1, ...found)
  const name = `${hex(newest)}.history`
  const history = files.get(name)
  if (!history) return [{ number: newest, end: undefined }]
  const target = join(scratch, name)
  await readWal(name, history, identity, target)
  const text = await readFile(target, 'utf8')
  await rm(target)
  const before = text
    .split('\n')
    .map((line) => /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)(?:\s+before (\S+) (\S+)([+-]\d\d)$)?/.exec(line))
    .flatMap((match) =>
      match ? [{ number: Number(match[1]), end: bytesAt(match[2]!), leftAt: momentIn(match.slice(3)) }] : [],
    )
  return [...before, { number: newest, end: undefined }]
}

function momentIn([day, time, offset]: (string | undefined)[]): number | undefined {
  const at = Date.parse(`${day}T${time?.slice(0, 12)}${offset}:00`)
  return Number.isNaN(at) ? undefined : at
}

/**
 * The timelines that lead to a moment: one that was left for a later moment has it still, and what came after is not
 * needed.
 * @param to milliseconds since the epoch
 */
export function timelinesTo(timelines: readonly Timeline[], to: number): Timeline[] {
  const at = timelines.findIndex(({ leftAt }) => leftAt !== undefined && to < leftAt)
  return at === -1 ? [...timelines] : [...timelines.slice(0, at), { number: timelines[at]!.number, end: undefined }]
}

/** The timeline that a segment is read from: the newest that begins in it or before. */
const ownerOf = (number: number, timelines: readonly Timeline[]): Timeline =>
  timelines.find(({ end }) => end === undefined || BigInt(number) < end / BigInt(segmentBytes)) ?? timelines.at(-1)!

/**
 * The first segment that is missing between one and the last that there is on those timelines; undefined where none is.
 * One in which a timeline begins must be there as one of the new timeline.
 */
export function firstGap(files: WalFiles, start: number, timelines: readonly Timeline[]): string | undefined {
  const known = [...files.keys()]
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map(segmentOf)
    .filter(({ timeline, number }) => ownerOf(number, timelines).number === timeline)
    .map(({ number }) => number)
  const last = known.reduce((most, number) => Math.max(most, number), start)
  const there = new Set(known)
  for (let number = start; number <= last; number++)
    if (!there.has(number)) return segmentName({ timeline: ownerOf(number, timelines).number, number })
  return undefined
}

/** Removes files of the WAL that no base backup from that segment on needs. @returns how many */
export async function removeOldWal(place: string, before: number): Promise<number> {
  let removed = 0
  for (const [name, { path }] of await listWal(place)) {
    if (name.endsWith('.history') || segmentOf(name).number >= before) continue
    await rm(path, { force: true })
    removed++
  }
  for (const folder of await readdir(walPath.wal(place))) {
    // one that holds something refuses
    await rmdir(join(walPath.wal(place), folder)).catch(() => {})
  }
  return removed
}
