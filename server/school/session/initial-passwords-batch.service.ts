import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { text } from '../../core/export/columns.ts'
import { exportList } from '../../core/export/exports.ts'
import { oneTimePassword, storedHash } from '../../core/secrets/passwords.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { foldLoginName } from '../people/accounts.service.ts'
import { storeGivenPasswords } from '../people/given-passwords.service.ts'
import { assertNotOutranked } from '../people/rank-check.service.ts'
import { visibleStudentsWithPlace } from '../people/students.service.ts'
import { notifyReset, validDays } from './initial-password.service.ts'

const columns = [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 14),
  text('学院', 'scName', 26),
  text('班级', 'scClassName', 22),
  text('登录账号', 'suLoginName', 20),
  text('一次性密码', 'password', 20),
  text('有效期至', 'validUntil', 20),
]

/**
 * Gives students in reach random one-time passwords and answers them as a workbook to hand out, this once. All or none;
 * the reason stands in everybody's history and in the record of the file.
 */
export async function resetStudents(
  ctx: Context,
  { suIds, reason }: Checked<typeof passwordApi.resetMany>,
): Promise<FileAnswer> {
  const { schoolId } = ctx.actor
  const students = await visibleStudentsWithPlace(ctx)
    .select([
      'person.suId',
      'suiNumber',
      'suiName',
      sql<string>`coalesce("scName", '')`.as('scName'),
      sql<string>`coalesce("scClassName", '')`.as('scClassName'),
    ])
    .where(anyOf('person.suId', suIds))
    .orderBy('suiNumber')
    .execute()
  if (students.length !== suIds.length) throw new Failure('not-found')
  const validUntil = addDays(ctx.clock.now(), validDays)
  const rows = students.map((student) => ({
    ...student,
    suLoginName: foldLoginName(student.suiNumber),
    password: oneTimePassword(),
    validUntil,
  }))
  const given = await Promise.all(
    rows.map(async ({ suId, password }) => ({ suId, passwordHash: await storedHash(password, ctx.secrets.pepper) })),
  )
  await inTransaction(ctx, async (tx) => {
    await assertNotOutranked(tx, suIds)
    await storeGivenPasswords(tx, schoolId, given, validDays)
    await auditMany(
      tx,
      students.map(({ suId, suiName, suiNumber }) => ({
        action: '批量重置学生密码',
        bizType: 'person',
        bizId: suId,
        bizName: `${suiName}（${suiNumber}）`,
        reason,
      })),
    )
    await notifyReset(tx, suIds)
  })
  forgetActors(schoolId, suIds)
  return exportList(ctx, {
    title: '一次性密码',
    columns,
    rows: asBatch(rows),
    filter: { suIds: suIds.length, reason },
  })
}

async function* asBatch<R>(rows: R[]): AsyncGenerator<R[]> {
  yield rows
}
