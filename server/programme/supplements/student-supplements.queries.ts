import type { Checked } from '../../../contract/core/call.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { studentSupplementApi } from '../../../contract/programme/supplements/student-supplements.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { asPage, countOf, offsetOf, titleContains } from '../../core/database/paging.ts'
import { nodeNames } from '../../rules/curriculum/modules.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { openableSupplements } from './supplements.queries.ts'

/**
 * A student's supplement records, newest first, for those who may see the student. Drafts are whose they are: a student
 * sees those they write themselves.
 */
export async function supplementsOfStudent(ctx: Context, input: Checked<typeof studentSupplementApi.list>) {
  const { suId, lisName, lisType, lisStatus } = input
  if (!(await visibleStudents(ctx).select('person.suId').where('person.suId', '=', suId).executeTakeFirst()))
    throw new Failure('not-found')
  let query = from(ctx, 'supplement')
    .where('supplement.suId', '=', suId)
    .where((or) =>
      or.or([
        or('lisStatus', '<>', supplementStatus.draft),
        or.and([or('supplement.createBy', '=', ctx.actor.suId), or('supplement.suId', '=', ctx.actor.suId)]),
      ]),
    )
  if (lisName) query = query.where(titleContains('supplement.lisName', lisName))
  if (lisType) query = query.where('lisType', '=', lisType)
  if (lisStatus) query = query.where('lisStatus', '=', lisStatus)
  const [rows, total, names] = await Promise.all([
    query
      .innerJoin('lessonLevel', withinSchool('lessonLevel.llId', 'supplement.lisLevel'))
      .select([
        'lisId',
        'lisName',
        'lsPath',
        'lisType',
        'lessonLevel.llName as lisLevelName',
        'lisPartakeMode',
        'lisAward',
        'lisOrg',
        'lisObtainDate',
        'lisHours',
        'lisCredit',
        'lisStatus',
        'refuseReason',
        'supplement.createTime',
      ])
      .orderBy('lisObtainDate', 'desc')
      .orderBy('lisId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
    nodeNames(ctx),
  ])
  const lisIds = rows.map(({ lisId }) => lisId)
  const openable = lisIds.length > 0 && (await openableSupplements(ctx, lisIds)?.execute())
  const open = new Set(openable ? openable.map(({ id }) => id) : [])
  return asPage(
    rows.map(({ lsPath, ...row }) => ({
      ...row,
      opens: open.has(row.lisId),
      lsName: lsPath.map((lsId) => names.get(lsId) ?? '').join(' / '),
      lisHours: fromHundredths(row.lisHours),
      lisCredit: fromHundredths(row.lisCredit),
    })),
    total,
    input,
  )
}
