import { sql } from 'kysely'
import { Failure } from '../../contract/core/failure.ts'
import { forgetActors } from '../core/actor-cache.ts'
import { among } from '../core/among.ts'
import { auditMany } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { closeAccounts } from './accounts.service.ts'
import { mustNotOutrank } from './outrank.service.ts'

/** Tables that hold what people did, and the columns that name them. Whoever stands in one stays. */
const business: readonly (readonly [string, string])[] = [
  ['registration', 'suId'], ['lessonPerson', 'suId'], ['lesson', 'liPrincipalId'], ['lesson', 'createBy'], ['supplement', 'suId'],
  ['creditLedger', 'suId'], ['credibilityLog', 'suId'], ['approval', 'startBy'], ['approvalTask', 'checkerId'], ['workflowChecker', 'wfcCheckerId'],
]

/** Those of some people who have business records, by name; one statement whatever their number. */
export async function peopleInUse({ db, actor }: Pick<Context, 'db' | 'actor'>, suIds: readonly string[]): Promise<string[]> {
  const records = business.map(([table, column]) => sql`exists (select 1 from ${sql.table(table)} x where x."schoolId" = p."schoolId" and x.${sql.ref(column)} = p."suId")`)
  const { rows } = await sql<{ suiName: string }>`select p."suiName" from "person" p where p."schoolId" = ${actor.schoolId} and p."suId" = any(${suIds}::uuid[]) and (${sql.join(records, sql` or `)}) order by p."suiNumber"`.execute(db)
  return rows.map(({ suiName }) => suiName)
}

/**
 * Removes people who have no business records: they vanish from lists, their number becomes free and their account ends. All
 * or none. `reach` finds those of them that the caller may remove.
 */
export async function removePeople(ctx: Context, suIds: string[], what: string, reach: (tx: Context) => Promise<{ suId: string; suiName: string; suiNumber: string }[]>) {
  const { schoolId } = ctx.actor
  const done = await inTransaction(ctx, async (tx) => {
    const people = await reach(tx)
    if (people.length !== suIds.length) throw new Failure('not-found')
    if (suIds.includes(tx.actor.suId)) throw new Failure('own-account')
    const [used] = await peopleInUse(tx, suIds)
    if (used) throw new Failure('person-in-use', { name: used })
    const [admin] = await adminsAmong(tx, suIds)
    if (admin) throw new Failure('person-is-admin', { name: admin })
    await mustNotOutrank(tx, suIds)
    await tx.db.updateTable('schoolClass').set({ counselorId: null }).where('schoolId', '=', schoolId).where(among('counselorId', suIds)).execute()
    await tx.db.updateTable('schoolClass').set({ headTeacherId: null }).where('schoolId', '=', schoolId).where(among('headTeacherId', suIds)).execute()
    await tx.db.updateTable('department').set({ sdLeaderId: null }).where('schoolId', '=', schoolId).where(among('sdLeaderId', suIds)).execute()
    await tx.db.deleteFrom('departmentUser').where('schoolId', '=', schoolId).where(among('suId', suIds)).execute()
    await closeAccounts(tx.db, schoolId, suIds)
    await tx.db
      .updateTable('person')
      .set({ delFlag: '1', suiCollegeId: null, majorId: null, scClassId: null, suiPhone: null, suiPhoneHash: null, suiIdCard: null, suiIdCardHash: null, updateBy: tx.actor.suId, updateTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where(among('suId', suIds))
      .execute()
    await auditMany(tx, people.map(({ suId, suiName, suiNumber }) => ({ action: `删除${what}`, bizType: 'person', bizId: suId, bizName: `${suiName}（${suiNumber}）` })))
    return { affected: people.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

const adminsAmong = async ({ db, actor }: Context, suIds: string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('roleUser')
    .innerJoin('role', (join) => join.onRef('role.schoolId', '=', 'roleUser.schoolId').onRef('role.srId', '=', 'roleUser.srId'))
    .innerJoin('person', (join) => join.onRef('person.schoolId', '=', 'roleUser.schoolId').onRef('person.suId', '=', 'roleUser.suId'))
    .select('person.suiName')
    .where('roleUser.schoolId', '=', actor.schoolId)
    .where('role.srCode', '=', 'SCHOOL_ADMIN')
    .where(among('roleUser.suId', suIds))
    .execute()
  return rows.map(({ suiName }) => suiName)
}
