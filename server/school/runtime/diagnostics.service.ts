import { open } from 'node:fs/promises'
import { sql } from 'kysely'
import { diskRoom } from '../../core/base/disk-places.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { audit } from '../../core/audit/audit.ts'
import { zipStream, type ZipEntry } from '../../core/base/zip.ts'
import type { Config } from '../../core/base/config.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { delaysOf } from '../../core/jobs/delays.ts'
import { backupsOf, processesOf, slowOf, storageOf, versionsOf } from './facts.queries.ts'
import { mayViewInstallation } from './installation-access.ts'

/** Lines of the log, and bytes from its end that are looked at. */
const maxLines = 1000
const maxBytes = 2_097_152

/** The bundle for whoever looks for the cause of a fault: facts of the program, nothing of people. */
export const diagnostics =
  (schema: string) =>
  async (ctx: Context): Promise<FileAnswer> => {
    if (!(await mayViewInstallation(ctx))) throw new Failure('not-permitted')
    await audit(ctx, { action: '下载诊断包', bizType: 'background' })
    return {
      name: `诊断包-${ctx.clock.now().slice(0, 16).replace(/\D/g, '')}.zip`,
      type: 'application/zip',
      body: zipStream(await diagnosticEntries(ctx, schema), new Date()),
    }
  }

type Services = Pick<PublicContext, 'db' | 'config'>

/** The files of the bundle. Everything in them is chosen by name: what is not known to be harmless stays out. */
export async function diagnosticEntries(services: Services, schema: string): Promise<ZipEntry[]> {
  const json = (name: string, value: unknown): ZipEntry => ({
    name: `${name}.json`,
    content: `${JSON.stringify(value, null, 2)}\n`,
  })
  const [versions, delays, processes, jobs, storage, slow, backups] = await Promise.all([
    versionsOf(services, schema),
    delaysOf(services.db),
    processesOf(services),
    jobsByKind(services),
    diskRoom(services.config.dataDir).then((disk) => storageOf(services, disk)),
    slowOf(services),
    backupsOf(services),
  ])
  return [
    json('versions', versions),
    json('settings', harmlessSettings(services.config)),
    json('health', { ...delays, processes: processes.map(({ instance: _, ...process }) => process) }),
    json('jobs', jobs),
    json('storage', storage),
    json('slow-statements', slow),
    json(
      'backups',
      backups.map(({ brKind, brStatus, startTime, endTime, size }) => ({ brKind, brStatus, startTime, endTime, size })),
    ),
    { name: 'log.jsonl', content: (await lastLines(services.config.logFile)).join('\n') },
  ]
}

const jobsByKind = async ({ db }: Services) =>
  db
    .selectFrom('job')
    .select(['jobKind', 'jobStatus'])
    .select(sql<number>`count(*)::int`.as('count'))
    .groupBy(['jobKind', 'jobStatus'])
    .orderBy('jobKind')
    .orderBy('jobStatus')
    .execute()

/** Settings that are words out of a fixed list, and say what they say. */
const words: readonly (keyof Config)[] = ['logLevel', 'withoutClamd', 'passwordProfile']

/** Numbers and switches as they are; of everything else only whether it is set. */
function harmlessSettings(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' || words.includes(name as keyof Config)
        ? value
        : name === 'alarms'
          ? config.alarms
          : (Array.isArray(value) ? value.length > 0 : value !== undefined)
            ? 'set'
            : 'not set',
    ]),
  )
}

/** What a line of the log may keep: values that the program makes, never what people typed. */
const kept = [
  'level',
  'time',
  'version',
  'msg',
  'route',
  'call',
  'method',
  'status',
  'ms',
  'requestId',
  'kind',
  'jobId',
]
const keptMore = ['attempts', 'port', 'pid', 'code', 'signal', 'statement', 'seconds']

async function lastLines(path: string | undefined): Promise<string[]> {
  if (!path) return ['{"msg":"the log goes to standard output and is kept elsewhere"}']
  const file = await open(path).catch(() => undefined)
  if (!file) return ['{"msg":"there is no log file"}']
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - maxBytes)
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start })
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n').filter(Boolean)
    return lines
      .slice(start > 0 ? 1 : 0)
      .slice(-maxLines)
      .flatMap(harmlessLine)
  } finally {
    await file.close()
  }
}

/** A line without what may tell of people; nothing of one that is no JSON. Of an error its place, not its words. */
export function harmlessLine(line: string): string[] {
  let read: Record<string, unknown>
  try {
    read = JSON.parse(line) as Record<string, unknown>
  } catch {
    return []
  }
  const own = Object.fromEntries(
    [...kept, ...keptMore].flatMap((name) => (read[name] === undefined ? [] : [[name, read[name]]])),
  )
  const { err } = read as { err?: Record<string, unknown> }
  if (err)
    own['err'] = {
      type: err['type'],
      errorCode: err['errorCode'],
      constraint: err['constraint'],
      table: err['table'],
      stack: String(err['stack'] ?? '')
        .split('\n')
        .filter((frame) => /^\s+at /.test(frame))
        .map((frame) => frame.trim().replace(/\(?(?:file:\/\/)?\/\S*\/(?=[^/]+:\d+:\d+)/, '(')),
    }
  return [JSON.stringify(own)]
}
