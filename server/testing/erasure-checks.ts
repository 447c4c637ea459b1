import { sql, type Updateable } from 'kysely'
import { applicationStatus } from '../../contract/core/codes/outcomes.ts'
import {
  approvalStatus,
  circleStatus,
  lessonStatus,
  questionStatus,
  supplementStatus,
  taskStatus,
} from '../../contract/core/codes/programme.ts'
import { studentStatus } from '../../contract/core/codes/school.ts'
import type { Db, Tables } from '../core/database/pool.ts'
import { seal, sealedKey } from '../core/secrets/field-crypto.ts'
import { demoPassword } from '../demo/account-list.ts'
import { demoSize, makeDemoSchool } from '../demo/demo-school.ts'
import { checkSchool, sumOf } from '../outcomes/statistics/check.service.ts'
import { refreshSchool } from '../outcomes/statistics/refresh.service.ts'
import { sealTrail } from '../school/audit/sealing.service.ts'
import { verifyTrail } from '../school/audit/verification.service.ts'
import { testApp, type TestApp } from './app.ts'
import { signIn, type Client } from './client.ts'
import type { TestSchool } from './school.ts'

/** Where the name or number of somebody who was erased may still be found, and why. */
const mayStay: Record<string, string> = {
  'auditLog.actorName': 'the trail is append-only and sealed; it leaves the database with its archive',
  'auditLog.bizName': 'likewise',
  'auditLog.before': 'likewise',
  'auditLog.after': 'likewise',
  'auditLog.reason': 'likewise',
  'creditLedger.bizName': 'the ledger is append-only; it copies the title of a course or record',
  'creditLedger.explain': 'likewise',
  'transcriptIssue.serial': 'what is printed on the paper and asked for when it is checked holds the number',
  'transcriptIssue.issueName': 'who issued a paper is fixed with it',
}

/** A school full of life, out of which people are to be erased: the demo school, its administrator signed in. */
export async function livelySchool(schoolId: string, schName: string): Promise<{ app: TestApp; admin: Client }> {
  const app = await testApp()
  await makeDemoSchool(app.ctx, schoolId, schName, demoSize(200))
  return { app, admin: await signIn(app.address, schoolId, 'admin', demoPassword) }
}

/** A student who is no more at their school; withdrawn, unless another standing is told. */
export async function leaverOf(
  school: TestSchool,
  place: Parameters<TestSchool['students']>[1],
  suiStatus: string = studentStatus.withdrawn,
) {
  const [student] = await school.students(1, place)
  await school.setPerson(student!.suId, { suiStatus })
  return student!
}

/** Gives somebody a telephone, sealed as it is kept, and what else is told. */
export async function giveContacts(
  { services: { db, secrets } }: TestApp,
  { schoolId, suId }: { schoolId: string; suId: string },
  suiPhone: string,
  more: Updateable<Tables['person']>,
): Promise<void> {
  await db
    .updateTable('person')
    .set({ suiPhone: seal(suiPhone, secrets), suiPhoneHash: sealedKey(suiPhone, secrets), ...more })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()
}

/** Writes something into one course of a school. */
export async function writeInCourse(
  { ctx: { db } }: TestApp,
  schoolId: string,
  values: Updateable<Tables['lesson']>,
): Promise<void> {
  const one = db.selectFrom('lesson').select('liId').where('schoolId', '=', schoolId).orderBy('liId').limit(1)
  await db.updateTable('lesson').set(values).where('schoolId', '=', schoolId).where('liId', '=', one).execute()
}

/** What a school has that does not fit: figures and ledger against the raw rows, the trail against its seals. */
export async function faultsOf({ ctx, services }: TestApp, schoolId: string) {
  const figures = sumOf((await checkSchool(ctx, schoolId))!)
  await sealTrail(services, schoolId)
  const { faultCount, waitingRows } = await verifyTrail(services, schoolId)
  return { figures, trail: faultCount, waitingRows }
}

/** What {@link faultsOf} tells of a school where all is well. */
export const noFaults = { figures: 0, trail: 0, waitingRows: 0 }

/** Lets nothing of a school run any more, as its owner: what runs keeps people from being erased (`runningCases`). */
export async function endEverything(all: Db, schoolId: string): Promise<void> {
  const here = sql`"schoolId" = ${schoolId}`
  for (const change of [
    sql`update "lesson" set "liStatus" = ${lessonStatus.archived} where ${here}`,
    sql`update "approval" set "insStatus" = ${approvalStatus.withdrawn} where ${here} and "insStatus" = ${approvalStatus.running}`,
    sql`update "approvalTask" set "taskStatus" = ${taskStatus.lapsed} where ${here} and "taskStatus" = ${taskStatus.pending}`,
    sql`update "question" set "qStatus" = ${questionStatus.rejected} where ${here}`,
    sql`update "supplement" set "lisStatus" = ${supplementStatus.refused} where ${here} and "lisStatus" = any(${[supplementStatus.inReview, supplementStatus.passed, supplementStatus.inNotice]}::text[])`,
    sql`update "circle" set "ciStatus" = ${circleStatus.dissolved} where ${here}`,
    sql`update "transcriptApplication" set "taStatus" = ${applicationStatus.withdrawn} where ${here} and "taStatus" = ${applicationStatus.open}`,
  ])
    await change.execute(all)
}

/** Every column of text of the whole schema in which one of some texts stands, with how many rows. */
export async function findTexts({ ctx: { db } }: TestApp, texts: readonly string[]): Promise<Record<string, number>> {
  const columns = await sql<{ table: string; column: string }>`
    select table_name "table", column_name "column"
    from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'character varying')`.execute(db)
  const places: Record<string, number> = {}
  for (const { table, column } of columns.rows) {
    if (table.startsWith('kysely')) continue
    const { rows } = await sql<{ n: number }>`
      select count(*)::int "n"
      from ${sql.table(table)}
      where ${sql.ref(column)}::text like any(${texts.map((one) => `%${one}%`)}::text[])`.execute(db)
    if (rows[0]!.n > 0) places[`${table}.${column}`] = rows[0]!.n
  }
  return places
}

/** Those columns in which none of some texts may stand any more. */
export const unexpectedTexts = async (app: TestApp, texts: readonly string[]): Promise<string[]> =>
  Object.keys(await findTexts(app, texts)).filter((place) => !(place in mayStay))

/** What all figures of a school are made of, for comparing them before and after. */
export async function figuresOf({ ctx }: TestApp, schoolId: string): Promise<Record<string, unknown>> {
  await refreshSchool(ctx, schoolId)
  const dumps: Record<string, unknown> = {}
  for (const table of [
    'statPerson',
    'statAbility',
    'statEarned',
    'statSignIn',
    'statSupplement',
    'statLesson',
    'statDay',
    'statLogin',
    'creditLedger',
    'loginDay',
  ]) {
    const { rows } = await sql<{ hash: string; n: number }>`
      select count(*)::int "n",
        md5(coalesce(string_agg(r, ',' order by r), '')) "hash"
      from (
        select (to_jsonb(t) - 'stamp' - 'ip' - 'agent')::text r from ${sql.table(table)} t where "schoolId" = ${schoolId}
      ) x`.execute(ctx.db)
    dumps[table] = rows[0]
  }
  return dumps
}
