import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { compiledOnce } from './compiled-once.ts'
import { wholeDatabase } from './pipelining.ts'
import { configurationWrites, type Db } from './pool.ts'
import { SharingKysely } from './sharing-connection.ts'

/**
 * What is worked out from the configuration of a school, kept by each process until the configuration changes
 * (decision 033). Triggers give it a new version in the transaction of the change. Whoever uses something kept asks for
 * the version first, so that no process answers by what was before once a change has been acknowledged.
 */

interface Reader {
  db: Db
  schoolId: string
}

/** What a process keeps of a school: for each part the value of the key that was asked last. */
interface Kept {
  version: string
  parts: Map<symbol, { key: string; value: unknown }>
}

const kept = new Map<string, Kept>()
const maxSchools = 1000

/**
 * A function that works something out from a school's configuration once and then gives what is kept. Inside a
 * transaction it is what that transaction sees. The value is frozen, for all share it.
 * @param load reads only tables whose triggers give the configuration a new version. The key holds whatever else the
 *   value depends on, such as the day; only the value of the latest key is kept.
 */
export function keptConfiguration<V>(
  load: (reader: Reader, key: string) => Promise<V>,
): (reader: Reader, key?: string) => Promise<V> {
  const part = Symbol('part')
  return async (reader, key = '') => {
    const { db, schoolId } = reader
    const version = await (db.isTransaction
      ? versionInTransaction(db, schoolId)
      : // a detail asks over the connection on which its other statements leave
        versionNow(db instanceof SharingKysely ? db : wholeDatabase(db), schoolId))
    const known = kept.get(schoolId)
    const entry = known?.version === version ? known.parts.get(part) : undefined
    if (entry?.key === key) return entry.value as V
    const value = freeze(await load(reader, key))
    // what was loaded is as new as the version or newer; those who are told a later version load anew
    let own = kept.get(schoolId)
    if (own?.version !== version) {
      if (kept.size >= maxSchools) kept.clear()
      kept.set(schoolId, (own = { version, parts: new Map() }))
    }
    own.parts.set(part, { key, value })
    return value
  }
}

/** Versions that transactions were told. */
const told = new WeakMap<Db, Map<string, { writes: number; version: Promise<string> }>>()

/** A transaction asks once, and again after any transaction of this process has written configuration. */
function versionInTransaction(db: Db, schoolId: string): Promise<string> {
  let schools = told.get(db)
  if (!schools) told.set(db, (schools = new Map()))
  const writes = configurationWrites()
  const known = schools.get(schoolId)
  if (known?.writes === writes) return known.version
  const version = versionsOf(db, [schoolId]).then((versions) => versions.get(schoolId) ?? '')
  schools.set(schoolId, { writes, version })
  return version
}

/** A question for versions that has not been sent yet. */
interface Question {
  schoolIds: Set<string>
  answer: Promise<ReadonlyMap<string, string>>
}
/** The question under way, if there is one, and the one that is sent when it has been answered. */
interface QueueState {
  sent: Promise<unknown> | undefined
  next: Question | undefined
}
const questions = new WeakMap<Db, QueueState>()

/**
 * Milliseconds that a question waits for the answer to the one before it. Longer, and one connection that has fallen
 * silent would hold up everybody.
 */
const maxWaitMs = 50

/**
 * The version as of a moment after the question: requests that come together share one statement, and none shares one
 * that was sent before it came, whose answer may be older than a change that the caller knows of.
 */
async function versionNow(db: Db, schoolId: string): Promise<string> {
  let state = questions.get(db)
  if (!state) questions.set(db, (state = { sent: undefined, next: undefined }))
  const own = (state.next ??= askNext(db, state))
  own.schoolIds.add(schoolId)
  return (await own.answer).get(schoolId) ?? ''
}

function askNext(db: Db, state: QueueState): Question {
  const schoolIds = new Set<string>()
  const before = state.sent && Promise.race([state.sent, sleep(maxWaitMs, undefined, { ref: false })])
  const answer = Promise.resolve(before).then(() => {
    state.next = undefined
    const asked = versionsOf(db, [...schoolIds])
    const isOver = (): void => void (state.sent === sent && (state.sent = undefined))
    const sent = asked.then(isOver, isOver)
    state.sent = sent
    return asked
  })
  return { schoolIds, answer }
}

async function versionsOf(db: Db, schoolIds: string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await versionRows(db, { schoolIds })
  return new Map(rows.map(({ schoolId, version }) => [schoolId, version]))
}

const versionRows = compiledOnce((db, { schoolIds }: { schoolIds: string[] }) =>
  db
    .selectFrom('configuration')
    .select(['schoolId', 'version'])
    .where(sql<boolean>`"schoolId" = any(${schoolIds})`),
)

function freeze<V>(value: V): V {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  if (value instanceof Map) for (const item of value.values()) freeze(item)
  else Object.values(value).forEach(freeze)
  return Object.freeze(value)
}
