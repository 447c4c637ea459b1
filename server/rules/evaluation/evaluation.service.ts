import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { fullNameOf } from '../curriculum/curriculum.service.ts'
import { evaluationOnWire, evaluationRows, labelNames, usesOf, visibleEvaluations } from './evaluation.queries.ts'

type CallInput<K extends keyof typeof evaluationApi> = Checked<(typeof evaluationApi)[K]>

/** What the list of rules may be sorted by. */
const sortable = {
  levelName: 'l.llSort',
  enable: 'e.enable',
  baseHours: 'e.baseHours',
  hourCap: 'e.hourCap',
  credit: 'e.credit',
  points: 'e.points',
  esName: 'e.esName',
  versionNo: 'e.versionNo',
  effectFrom: 'e.effectFrom',
  updateTime: 'e.updateTime',
}

/**
 * The current rules, in the order of the curriculum and the levels unless another one is asked for. `lsId` means the
 * node and all below it.
 */
export async function listEvaluations(ctx: Context, input: CallInput<'all'>) {
  const wanted = fits(input)
  const total = await countOf(visibleEvaluations(ctx).where(wanted))
  const inOrder = sql`(
      select array_agg(above."lsSort" order by cardinality(above."lsPath"))
      from "curriculum" above
      where above."schoolId" = c."schoolId" and above."lsId" = any(c."lsPath")
    )`
  const rows = await evaluationRows(ctx)
    .where(wanted)
    .$if(input.sort !== undefined, (query) => query.orderBy(listOrder(input, sortable)))
    .orderBy(inOrder)
    .orderBy('c.lsId')
    .orderBy('l.llSort')
    .orderBy('e.esId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const uses = await usesOf(
    ctx,
    rows.map(({ esId }) => esId),
  )
  const names = await labelNames(ctx)
  const { permits } = ctx.actor
  const records = rows.map((row) => {
    const lessonCount = uses.get(row.esId)?.live ?? 0
    const can: ('edit' | 'delete')[] = []
    if (row.mine && permits.has('evaluation:edit')) can.push('edit')
    if (row.mine && permits.has('evaluation:delete') && !uses.has(row.esId)) can.push('delete')
    return { ...evaluationOnWire(row, names), lessonCount, can }
  })
  return asPage(records, total, input)
}

function fits({ lsId, esLessonLevel, esName, enable }: CallInput<'all'>): RawBuilder<boolean> {
  const parts = [sql`e."current"`]
  if (lsId) parts.push(sql`c."lsPath" && ${[lsId]}::uuid[]`)
  if (esLessonLevel) parts.push(sql`e."esLessonLevel" = ${esLessonLevel}`)
  if (esName) parts.push(sql`e."esName" like ${likeText(esName)}`)
  if (enable) parts.push(sql`e."enable" = ${enable}`)
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** One rule, whatever its version, with the history of its system and level. */
export async function evaluationForEdit(ctx: Context, { esId }: CallInput<'query'>) {
  const row = await evaluationRows(ctx).where('e.esId', '=', esId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const versions = await visibleEvaluations(ctx)
    .select(['e.esId', 'e.versionNo', 'e.effectFrom', 'e.effectTo'])
    .where('e.lsId', '=', row.lsId)
    .where('e.esLessonLevel', '=', row.esLessonLevel)
    .orderBy('e.versionNo', 'desc')
    .execute()
  const uses = await usesOf(
    ctx,
    versions.map((version) => version.esId),
  )
  return {
    ...evaluationOnWire(row, await labelNames(ctx)),
    lessonCount: uses.get(esId)?.live ?? 0,
    versions: versions.map((version) => ({ ...version, lessonCount: uses.get(version.esId)?.live ?? 0 })),
  }
}

/** Every node that may have rules, with the levels that have one. */
export async function classesWithLevels(ctx: Context) {
  const rows = await from(ctx, 'curriculum')
    .select(['lsId', 'lsPid', 'lsName', fullNameOf('curriculum.lsPath', 'curriculum.schoolId').as('lsFullName')])
    .select(
      sql<string[]>`coalesce(
          (
            select array_agg(e."esLessonLevel")
            from "evaluation" e
            where e."schoolId" = "curriculum"."schoolId" and e."lsId" = "curriculum"."lsId" and e."current"
          ), '{}'
        )`.as('levels'),
    )
    .where('enable', '=', enableStatus.enabled)
    .orderBy(sql`cardinality("lsPath")`)
    .orderBy('lsSort')
    .execute()
  return rows
}

/** The open levels of the school; `taken` where the node already has a rule for it. */
export async function levelsFor(ctx: Context, { lsId }: CallInput<'lessonLevel'>) {
  const rows = await from(ctx, 'lessonLevel as l')
    .select((eb) => [
      'l.llId as id',
      'l.llName as name',
      eb
        .exists(
          eb
            .selectFrom('evaluation as e')
            .select('e.esId')
            .whereRef('e.schoolId', '=', 'l.schoolId')
            .whereRef('e.esLessonLevel', '=', 'l.llId')
            .where('e.current', '=', true)
            .where('e.lsId', '=', lsId ?? null),
        )
        .as('taken'),
    ])
    .where('l.enable', '=', enableStatus.enabled)
    .orderBy('l.llSort')
    .execute()
  return rows.map((row) => ({ ...row, taken: Boolean(row.taken) }))
}
