import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { openIdentity, openRecipients } from '../../core/backup/keys.ts'
import { findBackup, openPlace, type Manifest } from '../../core/backup/manifest.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import type { Config } from '../../core/base/config.ts'
import { prepareFolder } from '../../core/base/data-folder.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { installationHash, schoolTables, storeMark, whileAlone } from '../../core/database/owner-queries.ts'
import { openFiles } from '../../core/files/files.ts'
import { assertOwnStore } from '../../core/files/store-mark.ts'
import { moveState } from '../../school/school/school-status.ts'
import { resumeSchool, suspendSchool } from '../../school/runtime/schools.service.ts'
import { archiveFolder } from '../backup/back-up.ts'
import type { ReachedDatabase } from '../backup/reach-database.ts'
import { schoolQueries } from '../school-archive/contents.ts'
import { exportSchool } from '../school-archive/export.ts'
import { importSchool } from '../school-archive/import.ts'
import { inOrderOfReference, withOwner, withOwnerDatabase, withoutTriggers } from '../school-archive/owner.ts'
import { changeSchool } from '../schools/schools.ts'
import { verifyMove, type Check } from './verify.ts'

/** One of the two installations. */
export interface Side {
  config: Config
  database: ReachedDatabase
}

/** What is moved, from where to where. */
export interface Move {
  schoolId: string
  source: Side
  target: Side
  /** Absolute path of the folder that holds the copies between the two. */
  place: string
  onProgress: Progress
}

/** What a rehearsal has found: seconds of the first copy, with all files, and of what people will wait for. */
export interface Plan {
  manifest: Manifest
  firstCopy: number
  copy: number
  arrival: number
  /** Both, and what the school waits for besides; the estimate that is told. */
  downtime: number
}

const arrived = '迁入学校'

/**
 * Seconds until every process refuses to write, and has seen that its jobs of the school are to stop (they look every
 * five seconds).
 */
const settling = 6

const timed = async <R>(work: () => Promise<R>): Promise<{ seconds: number; result: R }> => {
  const begun = performance.now()
  const result = await work()
  return { seconds: (performance.now() - begun) / 1000, result }
}

const copied = ({ source, schoolId, place, onProgress }: Move): Promise<Manifest> =>
  exportSchool(source.config, source.database, { schoolId, place, onProgress })

const brought = async ({ target, place, onProgress }: Move, isRehearsal: boolean): Promise<{ faults: string[] }> =>
  importSchool(target.config, target.database, {
    backup: await findBackup(place),
    identity: await openIdentity(target.config.backupIdentity),
    onProgress,
    isRehearsal,
  })

/** Runs a command while no other one moves the same school from here. */
async function withMoveLock<R>({ schoolId, source }: Move, work: () => Promise<R>): Promise<R> {
  const alone = await withOwner(source.database.connection, (client) =>
    whileAlone(client, 'school-move', schoolId, work),
  )
  if (!alone) throw new StartFault(`学校 ${schoolId} 的另一个迁移命令正在运行，请等它结束。没有改动任何内容。`)
  return alone.done
}

/**
 * The first copy, while the school works, and a rehearsal of the rest: the rows are copied once more and written into
 * the target, which takes them back. Files arrive for good; they are most of the bytes, and the move finds them there.
 * @throws StartFault where the move itself would be refused
 */
export const planMove = (move: Move): Promise<Plan> => withMoveLock(move, () => rehearsed(move))

async function rehearsed(move: Move): Promise<Plan> {
  await assertMovable(move)
  const first = await timed(() => copied(move))
  await brought(move, true)
  const again = await timed(() => copied(move))
  const arrival = await timed(() => brought(move, true))
  // what is verified reads what the rehearsal has written: about as long
  const downtime = settling + again.seconds + 1.5 * arrival.seconds
  return { manifest: again.result, firstCopy: first.seconds, copy: again.seconds, arrival: arrival.seconds, downtime }
}

/** What a move has done. */
interface Moved {
  seconds: number
  checks: readonly Check[]
  manifest: Manifest
  /** What is to be told of what follows the arrival and failed; the school works without. */
  faults: readonly string[]
}

/**
 * Moves a school: it stands still but for looking, the rest is copied, the target is compared with the source, and then
 * opened; from then on the source tells where the school is. Where anything fails before that, what has arrived is
 * taken out of the target and the school works on at the source.
 * @param address of the target, as people open it
 * @throws StartFault
 */
export const moveSchool = (move: Move, address: string): Promise<Moved> =>
  withMoveLock(move, () => moved(move, address))

async function moved(move: Move, address: string): Promise<Moved> {
  const { schoolId, source, target } = move
  await assertMovable(move)
  const begun = performance.now()
  await stopSource(move, address)
  let isClosing = false
  try {
    await untilStill(source.database, schoolId)
    const manifest = await copied(move)
    const { faults } = await brought(move, false)
    const checks = await verifyMove(move)
    const wrong = checks.filter(({ fault }) => fault !== undefined)
    if (wrong.length > 0)
      throw new StartFault(
        `迁入的数据与原系统不一致：${wrong.map(({ name, fault }) => `${name}：${fault}`).join('；')}。`,
      )
    isClosing = true
    await closeSource(move, address)
    // with this row in its trail its own history begins
    await resumeMovedSchool(target.database, schoolId, arrived)
    return { seconds: (performance.now() - begun) / 1000, checks, manifest, faults }
  } catch (error) {
    let left = ''
    try {
      const there = await stateOf(target.database, schoolId)
      // there was none before, so that one which is on its way to this address is what this run has brought
      if (there && isArrival(there, address)) await discardArrival(move, address)
      else if (there && isClosing) throw new StartFault('它可能已经开放')
    } catch (fault) {
      const why = `${(error as Error).message}\n新系统中的学校没有清空（${(fault as Error).message}）`
      // it may work there, where nobody heard that it was opened: two of them must not
      if (isClosing)
        throw new StartFault(`${why}，原系统因此保持停用。请查明新系统的情况后运行 dekt move-school undo。`)
      left = `${why}，它在那里没有开放，请在新系统用 dekt schools remove 删除。`
    }
    await resumeMovedSchool(source.database, schoolId, '撤回迁出')
    throw left ? new StartFault(left) : error
  }
}

/**
 * Closes the source before the target opens: at no moment do two of them work. @throws StartFault where it works again
 */
const closeSource = ({ schoolId, source }: Move, address: string): Promise<void> =>
  withOwnerDatabase(source.database.connection, (db) =>
    changeSchool(db, schoolId, { action: '迁出学校', reason: `迁往 ${address}` }, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('school')
        .set({ moveState: moveState.moved, movedTo: address })
        .where('schoolId', '=', schoolId)
        .where('moveState', '=', moveState.moving)
        .where('suspendedTime', 'is not', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new StartFault('迁移已被撤回，学校在原系统照常使用。')
    }),
  )

/**
 * Takes a move back as long as nobody has come to the target: what has arrived is taken out of it, and the source works
 * on. A school that the target had from elsewhere is left alone.
 * @throws StartFault where the target has been used, stands still by its own, or has passed the school on; or where the
 *   school has not moved
 */
export const undoMove = (move: Move): Promise<void> => withMoveLock(move, () => takenBack(move))

async function takenBack(move: Move): Promise<void> {
  const { schoolId, source, target } = move
  const own = await stateOf(source.database, schoolId)
  if (own?.state !== moveState.moved && own?.state !== moveState.moving)
    throw new StartFault(`学校 ${schoolId} 没有迁出，不必撤回。`)
  const there = await stateOf(target.database, schoolId)
  if (there && isArrival(there, own.movedTo)) await discardArrival(move, own.movedTo)
  else if (there?.openedTime != null) await takeOpenedBack(move, there)
  else if (there && own.state === moveState.moved)
    throw new StartFault(`新系统中的学校 ${schoolId} 不是这次迁移带去的，没有改动任何内容。请核对设置文件。`)
  await resumeMovedSchool(source.database, schoolId, '撤回迁出')
}

/** Takes out of the target a school that was opened there, unless somebody has come. */
async function takeOpenedBack({ schoolId, target }: Move, there: SchoolState): Promise<void> {
  if (there.state !== moveState.none)
    throw new StartFault(`学校 ${schoolId} 已从新系统继续迁往 ${there.movedTo}，不能从这里撤回。`)
  const wasBegun = there.isSuspended && there.why === takingBack
  if (there.isSuspended && !wasBegun)
    throw new StartFault(`学校 ${schoolId} 在新系统已被暂停。请先在新系统恢复，再撤回；没有改动任何内容。`)
  if (!wasBegun) await withOwnerDatabase(target.database.connection, (db) => suspendSchool(db, schoolId, takingBack))
  await sleep(settling * 1000)
  const used = await withOwner(target.database.connection, (client) => usedSince(client, schoolId, there.openedTime!))
  if (used > 0) {
    await resumeMovedSchool(target.database, schoolId, '继续使用')
    throw new StartFault(`迁移后已有人在新系统登录或操作（操作日志 ${used} 条），不能撤回。新系统照常使用。`)
  }
  await takeOut(target, schoolId, ({ isSuspended, why }) => isSuspended && why === takingBack)
}

const takingBack = '撤回迁移'

/** Refuses what is refused anyhow, before anything stands still. */
async function assertMovable({ schoolId, source, target, place }: Move): Promise<void> {
  const [here, there] = await Promise.all(
    [source, target].map(({ database }) => withOwner(database.connection, installationHash)),
  )
  if (here !== undefined && here === there) throw new StartFault('--to 指的就是这个安装，不是另一个。')
  // archives of the trail are written into it here, wherever the other files go
  prepareFolder(target.config.dataDir)
  // settings that mix the two would have files written over, or removed from, the wrong one
  for (const { config, database } of [source, target])
    await assertOwnStore(await withOwner(database.connection, storeMark), openFiles(config))
  await openRecipients(source.config.backupRecipients)
  await openIdentity(target.config.backupIdentity)
  await openPlace(place)
  const school = await stateOf(source.database, schoolId)
  if (!school) throw new StartFault(`没有学校 ${schoolId}。`)
  if (school.state !== moveState.none)
    throw new StartFault(`学校 ${schoolId} 正在迁移或已迁出；要撤回请运行 dekt move-school undo。`)
  if (school.isSuspended)
    throw new StartFault(`学校 ${schoolId} 已被暂停；请先恢复，或用 export-school 和 import-school 搬走。`)
  if (await stateOf(target.database, schoolId))
    throw new StartFault(
      `新系统已有代码为 ${schoolId} 的学校，没有迁移。如果是以前迁出后留下的，请先在新系统用 dekt schools remove 删除。`,
    )
}

/** From the next second on the people of the school may look and not write, and nothing is done for it. */
const stopSource = ({ schoolId, source }: Move, address: string): Promise<void> =>
  withOwnerDatabase(source.database.connection, (db) =>
    changeSchool(db, schoolId, { action: '开始迁出', reason: `迁往 ${address}` }, async (tx) => {
      await suspendSchool(tx, schoolId, `正在迁往 ${address}`)
      await tx
        .updateTable('school')
        .set({ moveState: moveState.moving, movedTo: address })
        .where('schoolId', '=', schoolId)
        .execute()
    }),
  )

/** Seconds that transactions and jobs under way are waited for. */
const patience = 60

/**
 * Waits until what had begun before the school stood still is over: its jobs, and every transaction of the database,
 * for one that has only read may still write. After a minute those that have written nothing are let be: they are long
 * readers, such as a backup.
 */
const untilStill = async (database: ReachedDatabase, schoolId: string): Promise<void> => {
  await sleep(settling * 1000)
  await withOwner(database.connection, async (client) => {
    // by their locks, which every role may see; of the activity of others it is told nothing
    const { rows: begun } = await client.query<{ transaction: string }>(
      `select l."virtualtransaction" "transaction"
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
      where l.locktype = 'virtualxid' and l.pid <> pg_backend_pid()`,
    )
    const early = begun.map(({ transaction }) => transaction)
    for (const end = performance.now() + patience * 1000; ;) {
      const { rows } = await client.query<{ open: number; writing: number; jobs: number }>(
        `select count(*) filter (where locktype = 'virtualxid')::int "open",
          count(*) filter (where locktype = 'transactionid')::int "writing",
          (
            select count(*)::int from "job"
            where "schoolId" = $2 and "jobStatus" = $3 and "heartbeat" > now() - interval '30 seconds'
          ) "jobs"
        from pg_locks
        where "virtualtransaction" = any($1::text[]) and granted`,
        [early, schoolId, jobStatus.running],
      )
      const { open: left, writing, jobs } = rows[0]!
      const isOver = performance.now() > end
      if (jobs === 0 && (left === 0 || (isOver && writing === 0))) return
      if (isOver) throw new StartFault('一分钟之内仍有写入或任务没有结束（可能正在批量导入），请稍后再迁。')
      await sleep(500)
    }
  })
}

/** A school that was moved works again, with a row in its trail that says so. */
const resumeMovedSchool = (database: ReachedDatabase, schoolId: string, action: string): Promise<void> =>
  withOwnerDatabase(database.connection, (db) =>
    changeSchool(db, schoolId, { action }, (tx) => resumeSchool(tx, schoolId, true)),
  )

/** How a school stands in an installation. */
interface SchoolState {
  state: string
  movedTo: string
  isSuspended: boolean
  why: string
  /** When a move opened it there; null where none did. */
  openedTime: string | null
}

const stateQuery = `
  select "moveState" "state", "movedTo", "suspendedTime" is not null "isSuspended", "suspendedWhy" "why",
    (select max("logTime")::text from "auditLog" l where l."schoolId" = s."schoolId" and "action" = $2) "openedTime"
  from "school" s
  where "schoolId" = $1`

/** Undefined where the installation has no such school. */
const stateOf = (database: ReachedDatabase, schoolId: string): Promise<SchoolState | undefined> =>
  withOwner(
    database.connection,
    async (client) => (await client.query<SchoolState>(stateQuery, [schoolId, arrived])).rows[0],
  )

/** Whether a school is one that a move has brought and not opened: it arrives as it stood at the source. */
const isArrival = ({ state, movedTo, isSuspended }: SchoolState, address: string): boolean =>
  isSuspended && state === moveState.moving && movedTo === address

/** How many rows people and programs have added to the trail since a moment. */
async function usedSince(client: pg.Client, schoolId: string, time: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int n from "auditLog"
    where "schoolId" = $1 and "actorId" is not null and "logTime" >= $2::timestamptz`,
    [schoolId, time],
  )
  return rows[0]!.n
}

/** Takes out of the target what this move has brought and not opened. */
const discardArrival = ({ schoolId, target }: Move, address: string): Promise<void> =>
  takeOut(target, schoolId, (there) => isArrival(there, address))

/**
 * Takes a school with its files out of an installation.
 * @param mayGo asked once nobody else can change the school any more; where it says no, nothing is removed
 * @throws StartFault where it may not
 */
async function takeOut(
  { config, database }: Side,
  schoolId: string,
  mayGo: (there: SchoolState) => boolean,
): Promise<void> {
  const { files, archives } = schoolQueries(schoolId)
  const contents: string[] = []
  const archiveNames: string[] = []
  await withOwner(database.connection, async (client) => {
    await assertOwnStore(await storeMark(client), openFiles(config))
    // what is on record of an earlier removal stays
    const names = (await schoolTables(client)).filter((name) => name !== 'schoolRemoval')
    const order = await inOrderOfReference(client, names)
    await withoutTriggers(client, order, async () => {
      const [there] = (await client.query<SchoolState>(stateQuery, [schoolId, arrived])).rows
      if (!there) return
      if (!mayGo(there)) throw new StartFault(`学校 ${schoolId} 正在新系统使用，没有删除任何内容。`)
      contents.push(...(await client.query<{ key: string }>(files)).rows.map(({ key }) => key))
      for (const { key, storeKey } of (await client.query<{ key: string; storeKey: string }>(archives)).rows) {
        contents.push(storeKey)
        archiveNames.push(key)
      }
      for (const name of order.toReversed())
        await client.query(`delete from ${pg.escapeIdentifier(name)} where "schoolId" = $1`, [schoolId])
    })
  })
  const store = openFiles(config)
  for (const key of contents) await store.remove(key).catch(() => {})
  for (const name of archiveNames) rmSync(join(archiveFolder(config.dataDir), name), { force: true })
}
