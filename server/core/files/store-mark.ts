import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { Failure } from '../../../contract/core/failure.ts'
import { StartFault } from '../base/start-fault.ts'
import type { Db } from '../database/pool.ts'
import type { FileStore } from './files.ts'

/** Where a store keeps the name of the installation it belongs to; no file of a school is of this kind. */
const markKey = `_/installation/00/00/${'0'.repeat(32)}`

/** Files of the database that are looked for in a store without a mark. */
const samples = 5

/**
 * Sees that this process keeps files where the others on its database do. The first one lays a random mark into the
 * store and notes it in the database; whoever finds another mark there, or none, would answer "not there" for what
 * others have stored. A store that has lost its mark, but holds files that the database names, gets it back. A service
 * that does not answer now is no reason not to start.
 * @throws StartFault where the store is another one
 */
export async function checkFileStore(db: Db, files: FileStore, log: Logger): Promise<void> {
  try {
    const { state, known, found } = await compareStore(db, files)
    if (state === 'same') return
    if (state === 'new') {
      const mark = found ?? randomBytes(16).toString('hex')
      if (!found) await files.put(Buffer.from(mark), { storeKey: markKey })
      // of two that start at once on stores of their own, the second is refused
      if ((await noteMark(db, mark)) === mark) return
    } else if (state === 'unmarked') {
      await files.put(Buffer.from(known!), { storeKey: markKey })
      return
    }
  } catch (err) {
    if (err instanceof Failure && err.reason === 'disk-full') throw err
    log.warn({ err }, 'the file store could not be compared with the database')
    return
  }
  throw otherStore()
}

/**
 * Compares as {@link checkFileStore} does; nothing is laid or mended.
 * @throws StartFault where a start would be refused; what the store failed with, where it does not answer now
 */
export async function lookAtFileStore(db: Db, files: FileStore): Promise<void> {
  if ((await compareStore(db, files)).state === 'other') throw otherStore()
}

/**
 * What a store is to a database: `new` to one that knows no store yet, the `same`, its own that has lost its mark
 * (`unmarked`), or an `other` one.
 */
async function compareStore(db: Db, files: FileStore) {
  const known = await markOfDatabase(db)
  const found = await readMark(files)
  const isUnmarked = async (): Promise<boolean> => found === undefined && holdsKnownFiles(db, files)
  const state = known === undefined ? 'new' : found === known ? 'same' : (await isUnmarked()) ? 'unmarked' : 'other'
  return { state, known, found } as const
}

const otherStore = (): StartFault =>
  new StartFault(
    '文件存储与数据库不符：使用这个数据库的其他进程把文件放在别处，本进程会找不到它们。' +
      '多个进程须共用同一个文件存储：给各进程设置相同的 FILES_URL，或让它们使用同一个（共享的）DATA_DIR。' +
      '确实更换了存储时，先把原来的文件全部复制过来，参见 docs/operations.md“多个进程的文件”。',
  )

/**
 * Sees that a store is the one in which a database keeps its files, for commands that write into it or remove from it:
 * under settings that mix two installations they would do so to the other one's. Nothing is laid or mended.
 * @param known the mark that the database has
 * @throws StartFault where the store is another one
 */
export async function assertOwnStore(known: string | undefined, files: FileStore): Promise<void> {
  if ((await readMark(files)) !== known)
    throw new StartFault(
      '文件存储与数据库不是同一个安装的：请核对 DATABASE_URL 与 FILES_URL（或 DATA_DIR）。没有改动任何内容。',
    )
}

/**
 * Marks a store as that of a database that was just filled from a backup, unless it is marked already.
 * @param inValue what the database has for the key `files`
 */
export async function layMark(files: FileStore, inValue: string): Promise<void> {
  if ((await readMark(files)) === undefined) await files.put(Buffer.from(inValue), { storeKey: markKey })
}

const readMark = async (files: FileStore): Promise<string | undefined> => {
  try {
    return await text(await files.get(markKey))
  } catch (error) {
    if (error instanceof Failure && error.reason === 'not-found') return undefined
    throw error
  }
}

const markOfDatabase = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('inValue').where('inKey', '=', 'files').executeTakeFirst())?.inValue

async function noteMark(db: Db, inValue: string): Promise<string | undefined> {
  await db
    .insertInto('installation')
    .values({ inKey: 'files', inValue })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return markOfDatabase(db)
}

async function holdsKnownFiles(db: Db, files: FileStore): Promise<boolean> {
  const rows = await db.selectFrom('file').select('storeKey').orderBy('createTime', 'desc').limit(samples).execute()
  for (const { storeKey } of rows) {
    try {
      const content = await files.get(storeKey)
      content.destroy()
      return true
    } catch (error) {
      if (!(error instanceof Failure && error.reason === 'not-found')) throw error
    }
  }
  return false
}
