import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lastPlaces, maySetDepartment } from '../organisation/department-users.service.ts'
import { assertColleges } from '../organisation/places.service.ts'
import { takenFailure } from '../organisation/uniqueness.ts'
import { loginNameFree, updateAccount } from './accounts.service.ts'
import { auditName, commonColumns, insertPerson, updatePerson } from './person-write.service.ts'
import { removePeople } from './removal.service.ts'
import { auditable, settled, type Settled } from './sensitive.ts'
import { visibleTeachers } from './teachers.service.ts'

type Form = Checked<typeof teacherApi.save>

/**
 * Adds or changes a member of staff with their departments. Their college must be in reach, the old as well as the new,
 * and so must the departments they leave and join.
 */
export async function saveTeacher(ctx: Context, { suId, version, suStatus, sdIds: given, ...form }: Form) {
  const { schoolId } = ctx.actor
  const sdIds = [...new Set(given)]
  const saved = await inTransaction(ctx, async (tx) => {
    if (form.suiCollegeId) await assertColleges(tx, [form.suiCollegeId])
    assertInScope(tx.scope, { college: form.suiCollegeId ?? null })
    await assertDepartments(tx, sdIds)
    if (!(await loginNameFree(tx.db, schoolId, form.suiNumber, suId)))
      throw takenFailure('number-taken', 'suiNumber', '工号', form.suiNumber)
    let id = suId
    let formerName = form.suiName
    if (!id) {
      const row = rowOf(form, settled(tx, form, undefined))
      id = await insertPerson(tx, personType.teacher, row)
      await audit(tx, {
        action: '新增教师',
        bizType: 'person',
        bizId: id,
        bizName: auditName(form),
        after: { ...auditable(undefined, row).after, sdIds },
      })
    } else {
      if (id === tx.actor.suId && suStatus === accountStatus.disabled) throw new Failure('own-account')
      const before = await visibleTeachers(tx).selectAll().where('person.suId', '=', id).forUpdate().executeTakeFirst()
      assertVersion(tx, before, version)
      await updatePerson(tx, '编辑教师', before, rowOf(form, settled(tx, form, before)), suStatus, form.suNickname)
      formerName = before.suiName
    }
    await updateAccount(tx, schoolId, id, { ...form, suStatus }, formerName)
    await setDepartments(tx, id, sdIds)
    return { suId: id }
  })
  forgetActors(schoolId, [saved.suId])
  return saved
}

const rowOf = (
  form: Omit<Form, 'suId' | 'version' | 'suStatus' | 'sdIds'>,
  { suiAddress: _, leagueJoinDate: __, partyJoinDate: ___, ...sensitive }: Settled,
) => ({
  ...commonColumns(form),
  suiCollegeId: form.suiCollegeId ?? null,
  title: form.title ?? null,
  teacherType: form.teacherType ?? null,
  post: form.post ?? null,
  ...sensitive,
})

async function assertDepartments(ctx: Context, sdIds: string[]): Promise<void> {
  if (sdIds.length === 0) return
  const rows = await from(ctx, 'department').select('sdId').where(anyOf('sdId', sdIds)).execute()
  if (rows.length !== sdIds.length) throw invalidInput([{ field: 'sdIds', msg: '所选部门不存在或已删除' }])
}

/**
 * Leaves the departments no longer named and joins the new ones as their last member, both within reach; the others
 * keep their post and place.
 */
async function setDepartments(ctx: Context, suId: string, sdIds: string[]): Promise<void> {
  const { schoolId } = ctx.actor
  const rows = await from(ctx, 'departmentUser').select('sdId').where('suId', '=', suId).execute()
  const had = rows.map(({ sdId }) => sdId)
  const left = had.filter((sdId) => !sdIds.includes(sdId))
  const joined = sdIds.filter((sdId) => !had.includes(sdId))
  if (![...left, ...joined].every((sdId) => maySetDepartment(ctx, sdId))) throw new Failure('out-of-reach')
  if (left.length > 0)
    await ctx.db
      .deleteFrom('departmentUser')
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .where(anyOf('sdId', left))
      .execute()
  if (joined.length === 0) return
  const last = await lastPlaces(ctx, joined)
  await ctx.db
    .insertInto('departmentUser')
    .values(
      joined.map((sdId) => ({
        schoolId,
        suId,
        sdId,
        sdSort: sdIds.indexOf(sdId),
        memberSort: (last.get(sdId) ?? 0) + 1,
      })),
    )
    // the same person may be added to it at the same moment on its own page
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes members of staff without business records; all or none. */
export const removeTeachers = (ctx: Context, { ids }: Checked<typeof teacherApi.remove>) =>
  removePeople(ctx, ids, '教师', (tx) =>
    visibleTeachers(tx)
      .select(['person.suId', 'suiName', 'suiNumber', 'suiPhoto'])
      .where(anyOf('person.suId', ids))
      .forUpdate()
      .execute(),
  )
