import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { creditType, supSource, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { SupplementDetail, SupplementHint } from '../../../contract/programme/supplements/supplements.schema.ts'
import type { supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { changesOf, ownTask } from '../approvals/flows.service.ts'
import type { Context } from '../../core/request/context.ts'
import { recordingPlaces } from '../../rules/curriculum/recordings.service.ts'
import { dupHints } from './dup-hints.queries.ts'
import { missingProofs } from './supplement-checks.ts'
import { supplementDetails } from './supplement-detail.queries.ts'

type Case = Output<typeof supplementCaseApi.supCase>

/**
 * A record as a reviewer sees it: the whole of it, what to look at twice, and what the student has been credited so
 * far.
 */
export async function supplementCase(
  ctx: Context,
  { lisId }: Checked<typeof supplementCaseApi.supCase>,
): Promise<Case> {
  const reader = { ...ctx, scope: ctx.actor.scopeFor('sup:list') }
  const supplement = await supplementDetails(reader, { lisId })
  const [likeness, history, task, places] = await Promise.all([
    dupHints(reader, { ...supplement, lisProofs: supplement.proofs.map(({ id }) => id) }),
    historyOf(ctx, supplement),
    ownTask(ctx, lisId),
    recordingPlaces(ctx),
  ])
  const differences = task ? await changesOf(ctx, task.insId) : []
  const asked = places.find(({ lsId }) => lsId === supplement.lsId)?.recording
  return {
    sup: supplement,
    hints: [...likeness, ...ownHints(ctx, supplement, asked?.supProofs ?? [], asked?.supNote ?? '')],
    differences,
    history,
    task,
  }
}

/** What the record itself makes one look at twice. */
function ownHints(
  { actor }: Context,
  supplement: SupplementDetail,
  asked: readonly string[],
  note: string,
): SupplementHint[] {
  const hints: SupplementHint[] = []
  const add = (level: SupplementHint['level'], text: string) => hints.push({ level, text, lisId: null })
  const count = (kind: string) => supplement.proofs.filter((one) => one.kind === kind).length
  const missing = missingProofs(asked, { ...supplement, images: count('image'), documents: count('document') })
  if (missing.length > 0) add('warning', `缺少模块要求的证明材料：${missing.join('、')}`)
  if (supplement.proofs.length === 0 && !supplement.credential) add('warning', '没有上传证明材料')
  if (supplement.suId === actor.suId) add('warning', '申报学生是您本人，请转由他人审批')
  if (supplement.lisHoursDeclared !== null)
    add('info', `录入人申请 ${supplement.lisHoursDeclared} 学时，未按评价规则的标准学时`)
  if (supplement.source === supSource.imported) add('info', '由批量导入录入')
  for (const { level, text } of supplement.credential?.lines ?? []) add(level, text)
  if (note) add('info', `模块的补录要求：${note}`)
  return hints
}

async function historyOf({ db, actor }: Context, { suId, lisId }: SupplementDetail): Promise<Case['history']> {
  const { rows } = await sql<{
    credited: number
    refused: number
    hours: number
  }>`
    select (count(*) filter (where s."lisStatus" = ${sql.lit(supplementStatus.credited)}))::int "credited",
      (count(*) filter (where s."lisStatus" = ${sql.lit(supplementStatus.refused)}))::int "refused",
      (
        select coalesce(sum(c."clValue"), 0)::int
        from "creditLedger" c
        where c."schoolId" = ${actor.schoolId}
          and c."suId" = ${suId}::uuid
          and c."clType" = ${sql.lit(creditType.hours)}
      ) "hours"
    from "supplement" s
    where s."schoolId" = ${actor.schoolId}
      and s."suId" = ${suId}::uuid
      and s."delFlag" = '0'
      and s."lisId" <> ${lisId}::uuid`.execute(db)
  return { ...rows[0]!, hours: fromHundredths(rows[0]!.hours) }
}
