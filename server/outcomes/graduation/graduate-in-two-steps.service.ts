import type { Checked } from '../../../contract/core/call.ts'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { repeatMinutes, type graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { addMinutes } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { graduateByGrade } from './graduate.service.ts'
import { previewGraduation } from './preview.service.ts'

type Input = Checked<typeof graduationApi.graduate>

/**
 * Graduates the students of a preview. A caller who knows of no previews is told what would happen, and carries it out
 * by asking for the same within some minutes (decision 034); where things have changed in between, they are told anew.
 */
export async function graduate(ctx: Context, input: Input) {
  if (input.previewToken || ctx.origin.isStrict) return graduateByGrade(ctx, input)
  const previewToken = await toldLately(ctx, input)
  if (!previewToken) return tell(ctx, input)
  try {
    return await graduateByGrade(ctx, { ...input, previewToken })
  } catch (error) {
    if (error instanceof Failure && error.reason === 'graduation-changed') return tell(ctx, input)
    throw error
  }
}

/**
 * The asking person's own preview of the same years and all colleges, if it is fresh enough to be meant and they were
 * told the same of those below the requirement.
 */
async function toldLately(ctx: Context, { gradeList, unmet }: Input): Promise<string | undefined> {
  const rows = await from(ctx, 'graduationBatch')
    .select(['gbId', 'grades', 'collegeIds'])
    .where('createBy', '=', ctx.actor.suId)
    .where('gbStatus', '=', graduationStatus.preview)
    .where('unmet', '=', unmet)
    .where('createTime', '>=', addMinutes(ctx.clock.now(), -repeatMinutes))
    .execute()
  return rows.find(({ grades, collegeIds }) => collegeIds.length === 0 && grades.join() === gradeList.join())?.gbId
}

async function tell(ctx: Context, { gradeList, unmet }: Input): Promise<never> {
  const preview = await previewGraduation(ctx, { gradeList, collegeIds: [] })
  await ctx.db
    .updateTable('graduationBatch')
    .set({ unmet })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('gbId', '=', preview.previewToken)
    .execute()
  const isDelayed = unmet === 'delay'
  throw new Failure('graduation-confirm', {
    grades: gradeList.join('、'),
    met: isDelayed ? preview.met : preview.total,
    unmet: isDelayed ? preview.unmet : 0,
    minutes: repeatMinutes,
  })
}
