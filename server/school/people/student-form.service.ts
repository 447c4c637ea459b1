import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { assertConsistentPlace } from '../organisation/places.service.ts'
import { homePlaceFault } from '../organisation/regions.service.ts'
import { takenFailure } from '../organisation/uniqueness.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { loginNameFree, updateAccount } from './accounts.service.ts'
import { auditName, commonColumns, insertPerson, updatePerson } from './person-write.service.ts'
import { removePeople } from './removal.service.ts'
import { auditable, settled, type Settled } from './sensitive.ts'
import { studentLocation, visibleStudents } from './students.service.ts'

type Form = Checked<typeof studentApi.save>

/**
 * Adds or changes a student. Their place must be one (class of the major, of the college, of the year) and in reach,
 * the old as well as the new. A new student gets an account without a password.
 */
export async function saveStudent(ctx: Context, { suId, version, suStatus, ...form }: Form) {
  const { schoolId } = ctx.actor
  const unknownPlace = await homePlaceFault(form)
  if (unknownPlace) throw invalidInput([{ field: unknownPlace, msg: '籍贯不正确，请重新选择' }])
  const saved = await inTransaction(ctx, async (tx) => {
    await assertConsistentPlace(tx, form)
    assertInScope(tx.scope, studentLocation(form))
    if (!(await loginNameFree(tx.db, schoolId, form.suiNumber, suId)))
      throw takenFailure('number-taken', 'suiNumber', '学号', form.suiNumber)
    if (!suId) return addStudent(tx, form, suStatus)
    if (suId === tx.actor.suId && suStatus === accountStatus.disabled) throw new Failure('own-account')
    if (suId === tx.actor.suId && form.suiStatus === studentStatus.graduated) throw new Failure('own-graduation')
    const before = await visibleStudents(tx).selectAll().where('person.suId', '=', suId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    await updatePerson(tx, '编辑学生', before, rowOf(form, settled(tx, form, before)), suStatus, form.suNickname)
    await updateAccount(tx, schoolId, suId, { ...form, suStatus }, before.suiName)
    return { suId }
  })
  forgetActors(schoolId, [saved.suId])
  return saved
}

async function addStudent(
  tx: Context,
  form: Omit<Form, 'suId' | 'version' | 'suStatus'>,
  suStatus: string,
): Promise<{ suId: string }> {
  const { schoolId } = tx.actor
  const row = rowOf(form, settled(tx, form, undefined))
  const { credibilityStart } = await schoolSettings(tx, schoolId)
  const suId = await insertPerson(tx, personType.student, row, { suiCredibility: credibilityStart })
  if (suStatus !== accountStatus.active || form.suNickname)
    await updateAccount(tx, schoolId, suId, { ...form, suStatus })
  await audit(tx, {
    action: '新增学生',
    bizType: 'person',
    bizId: suId,
    bizName: auditName(form),
    after: auditable(undefined, row).after,
  })
  return { suId }
}

/** The columns of a student; what the form left out is empty. */
const rowOf = (form: Omit<Form, 'suId' | 'version' | 'suStatus'>, sensitive: Settled) => ({
  ...commonColumns(form),
  provinceId: form.provinceId ?? null,
  cityId: form.cityId ?? null,
  areaId: form.areaId ?? null,
  suiCollegeId: form.suiCollegeId,
  majorId: form.majorId,
  scClassId: form.scClassId,
  suiGrade: form.suiGrade,
  suiEduLevel: form.suiEduLevel ?? null,
  suiStudyYears: form.suiStudyYears ?? null,
  suiEnterDate: form.suiEnterDate ?? null,
  suiGraduateDate: form.suiGraduateDate ?? null,
  suiCampus: form.suiCampus ?? null,
  suiDorm: form.suiDorm ?? null,
  isVolunteerRegistered: form.isVolunteerRegistered,
  volunteerNo: form.volunteerNo ?? null,
  ...sensitive,
})

/** Removes students without business records; all or none. */
export const removeStudents = (ctx: Context, { ids }: Checked<typeof studentApi.remove>) =>
  removePeople(ctx, ids, '学生', (tx) =>
    visibleStudents(tx)
      .select(['person.suId', 'suiName', 'suiNumber', 'suiPhoto'])
      .where(anyOf('person.suId', ids))
      .forUpdate()
      .execute(),
  )
