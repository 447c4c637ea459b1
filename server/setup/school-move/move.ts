import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openIdentity } from '../../core/backup/keys.ts'
import { findBackup, type Manifest } from '../../core/backup/manifest.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import type { Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { moveState } from '../../school/school/standstill.ts'
import { resumeSchool, suspendSchool } from '../../school/runtime/schools.service.ts'
import type { ReachedDatabase } from '../backup/reach-database.ts'
import { exportSchool } from '../school-archive/export.ts'
import { importSchool, takeFilesBack } from '../school-archive/import.ts'
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

/** Seconds until every process refuses to write, and until what was under way is over. */
const settling = 3

const timed = async <R>(work: () => Promise<R>): Promise<{ seconds: number; result: R }> => {
  const begun = performance.now()
  const result = await work()
  return { seconds: (performance.now() - begun) / 1000, result }
}

const copied = ({ source, schoolId, place, onProgress }: Move): Promise<Manifest> =>
  exportSchool(source.config, source.database, { schoolId, place, onProgress })

const brought = async ({ target, place, onProgress }: Move, isRehearsal: boolean): Promise<string> =>
  importSchool(target.config, target.database, {
    backup: await findBackup(place),
    identity: await openIdentity(target.config.backupIdentity),
    onProgress,
    isRehearsal,
  })

/**
 * The first copy, while the school works, and a rehearsal of the rest: the rows are copied once more and written into
 * the target, which takes them back. Files arrive for good; they are most of the bytes, and the move finds them there.
 * @throws StartFault where the move itself would be refused
 */
export async function planMove(move: Move): Promise<Plan> {
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
export interface Moved {
  seconds: number
  checks: readonly Check[]
  manifest: Manifest
}

/**
 * Moves a school: it stands still but for looking, the rest is copied, the target is compared with the source, and then
 * opened; from then on the source tells where the school is. Where anything fails before that, the target is emptied
 * and the school works on at the source.
 * @param address of the target, as people open it
 * @throws StartFault
 */
export async function moveSchool(move: Move, address: string): Promise<Moved> {
  const { schoolId, source, target } = move
  await assertMovable(move)
  const begun = performance.now()
  await freeze(source.database, schoolId, address)
  try {
    const manifest = await copied(move)
    await brought(move, false)
    const checks = await verifyMove(move)
    const wrong = checks.filter(({ fault }) => fault !== undefined)
    if (wrong.length > 0)
      throw new StartFault(
        `迁入的数据与原系统不一致：${wrong.map(({ name, fault }) => `${name}：${fault}`).join('；')}。`,
      )
    // the source is closed first: at no moment do two of them work
    await withOwnerDatabase(source.database.connection, (db) =>
      changeSchool(db, schoolId, { action: '迁出学校', reason: `迁往 ${address}` }, (tx) =>
        tx
          .updateTable('school')
          .set({ moveState: moveState.moved, movedTo: address })
          .where('schoolId', '=', schoolId)
          .execute()
          .then(() => {}),
      ),
    )
    await open(target.database, schoolId)
    return { seconds: (performance.now() - begun) / 1000, checks, manifest }
  } catch (error) {
    await discardArrival(move).catch((fault: Error) => {
      // it may work there, where nobody heard that it was opened: two of them must not
      throw new StartFault(
        `${(error as Error).message}\n新系统中的学校没有清空（${fault.message}），原系统因此保持停用。请查明新系统的情况后运行 npm run move-school -- undo。`,
      )
    })
    await work(source.database, schoolId, '撤回迁出')
    throw error
  }
}

/**
 * Takes a move back as long as nobody has come to the target: the target is emptied, and the source works on.
 * @throws StartFault where the target has been used, or the school has not moved
 */
export async function undoMove(move: Move): Promise<void> {
  const { schoolId, source, target } = move
  const state = await stateOf(source.database, schoolId)
  if (state !== moveState.moved && state !== moveState.moving)
    throw new StartFault(`学校 ${schoolId} 没有迁出，不必撤回。`)
  const isThere = await withOwner(target.database.connection, (client) => exists(client, schoolId))
  if (isThere) {
    await withOwnerDatabase(target.database.connection, (db) =>
      suspendSchool(db, schoolId, '撤回迁移').catch(() => {
        // it stands still already
      }),
    )
    await sleep(settling * 1000)
    const used = await withOwner(target.database.connection, (client) => usedSince(client, schoolId))
    if (used > 0) {
      await work(target.database, schoolId, '继续使用')
      throw new StartFault(`迁移后已有人在新系统登录或操作（操作日志 ${used} 条），不能撤回。新系统照常使用。`)
    }
    await discardArrival(move)
  }
  await work(source.database, schoolId, '撤回迁出')
}

/** Refuses what is refused anyhow, before anything stands still. */
async function assertMovable({ schoolId, source, target }: Move): Promise<void> {
  const [here, there] = await Promise.all(
    [source, target].map(({ database }) =>
      withOwner(database.connection, async (client) => {
        const { rows } = await client.query<{ is: string }>(
          `select encode(sha256(convert_to("inValue", 'UTF8')), 'hex') "is" from "installation" where "inKey" = 'secrets'`,
        )
        return rows[0]?.is
      }),
    ),
  )
  if (here !== undefined && here === there) throw new StartFault('--to 指的就是这个安装，不是另一个。')
  const school = await withOwner(source.database.connection, async (client) => {
    const { rows } = await client.query<{ isSuspended: boolean; state: string }>(
      `select "suspendedTime" is not null "isSuspended", "moveState" "state" from "school" where "schoolId" = $1`,
      [schoolId],
    )
    return rows[0]
  })
  if (!school) throw new StartFault(`没有学校 ${schoolId}。`)
  if (school.state !== moveState.none)
    throw new StartFault(`学校 ${schoolId} 正在迁移或已迁出；要撤回请运行 npm run move-school -- undo。`)
  if (school.isSuspended)
    throw new StartFault(`学校 ${schoolId} 已被暂停；请先恢复，或用 export-school 和 import-school 搬走。`)
}

/**
 * From the next second on the people of the school may look and not write, and nothing is done for it; waits until what
 * was being written is.
 */
async function freeze(database: ReachedDatabase, schoolId: string, address: string): Promise<void> {
  await withOwnerDatabase(database.connection, (db) =>
    changeSchool(db, schoolId, { action: '开始迁出', reason: `迁往 ${address}` }, async (tx) => {
      await suspendSchool(tx, schoolId, `正在迁往 ${address}`)
      await tx
        .updateTable('school')
        .set({ moveState: moveState.moving, movedTo: address })
        .where('schoolId', '=', schoolId)
        .execute()
    }),
  )
  await sleep(settling * 1000)
  await withOwner(database.connection, async (client) => {
    for (let tries = 0; tries < 120; tries++) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and xact_start < now() - make_interval(secs => $1) and backend_xid is not null`,
        [settling - 1],
      )
      if (rows[0]!.n === 0) return
      await sleep(500)
    }
    throw new StartFault('一分钟之内仍有写入没有结束（可能正在批量导入），请稍后再迁。')
  })
}

/** The target works, with the row in its trail from which its own history begins. */
const open = (database: ReachedDatabase, schoolId: string): Promise<void> =>
  withOwnerDatabase(database.connection, (db) =>
    changeSchool(db, schoolId, { action: arrived }, (tx) => resumeSchool(tx, schoolId)),
  )

const work = (database: ReachedDatabase, schoolId: string, action: string): Promise<void> =>
  withOwnerDatabase(database.connection, (db) =>
    changeSchool(db, schoolId, { action }, (tx) => resumeSchool(tx, schoolId, true)),
  )

async function exists(client: pg.Client, schoolId: string): Promise<boolean> {
  return (await client.query('select from "school" where "schoolId" = $1', [schoolId])).rowCount === 1
}

const stateOf = (database: ReachedDatabase, schoolId: string): Promise<string | undefined> =>
  withOwner(database.connection, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      `select "moveState" "state" from "school" where "schoolId" = $1`,
      [schoolId],
    )
    return rows[0]?.state
  })

/** How many rows people and programs have added to the trail since the school arrived. */
async function usedSince(client: pg.Client, schoolId: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int n from "auditLog"
    where "schoolId" = $1 and "actorId" is not null
      and "logTime" >= (select max("logTime") from "auditLog" where "schoolId" = $1 and "action" = $2)`,
    [schoolId, arrived],
  )
  return rows[0]!.n
}

/** Takes out of the target what an import has brought; of a school that works there, nothing. */
async function discardArrival({ schoolId, target, place }: Move): Promise<void> {
  const { folder } = await findBackup(place)
  await withOwner(target.database.connection, async (client) => {
    const { rows } = await client.query<{ isSuspended: boolean }>(
      `select "suspendedTime" is not null "isSuspended" from "school" where "schoolId" = $1`,
      [schoolId],
    )
    if (!rows[0]) return
    if (!rows[0].isSuspended) throw new StartFault(`学校 ${schoolId} 正在新系统使用，没有删除任何内容。`)
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname "name" from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'schoolId' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    )
    const order = await inOrderOfReference(
      client,
      tables.map(({ name }) => name),
    )
    await withoutTriggers(client, order, async () => {
      for (const name of order.toReversed())
        await client.query(`delete from "${name}" where "schoolId" = $1`, [schoolId])
    })
  })
  await takeFilesBack(target.config, folder)
}
