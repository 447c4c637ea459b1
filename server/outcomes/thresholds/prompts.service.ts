import { sql } from 'kysely'
import { yesNo, messageType } from '../../../contract/core/codes/platform.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fillPlaceholders } from '../../../contract/core/placeholders.ts'
import { withPromptPlaceholders, type promptPlaceholders } from '../../../contract/outcomes/thresholds/prompt-words.ts'
import {
  thresholdApi,
  type PromptRow,
  type WarningRow,
} from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notifyEach } from '../../platform/notifications/notify.service.ts'
import { under } from '../../school/people/people.service.ts'
import { studentScopeColumns, visibleStudents } from '../../school/people/students.service.ts'
import { gapText } from './threshold-rules.ts'
import { matchingWarnings, warningRows, type WarningFilter } from './warnings.queries.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/** The most students that one call reminds; more are reminded in the background. */
const maxAtOnce = 1000

/**
 * How many of the students that are meant would be reminded, and why not the others. Counted among those the person
 * sees on the list.
 */
export async function countPrompts(
  ctx: Context,
  { ids, filter }: Checked<typeof thresholdApi.promptCount>,
): Promise<Output<typeof thresholdApi.promptCount>> {
  const seen = ctx.actor.permits.has(thresholdApi.list.permit) ? under(ctx, thresholdApi.list.permit) : ctx
  const isMine = inScope(ctx.scope, studentScopeColumns)
  const answer = await matchingWarnings(seen, { ...filter, ids })
    .select([
      sql<number>`count(*) filter (where w."warnLevel" <> ${sql.lit(warnLevel.normal)} and ${isMine})::int`.as('count'),
      sql<number>`count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.normal)})::int`.as('unwarned'),
      sql<number>`count(*) filter (where w."warnLevel" <> ${sql.lit(warnLevel.normal)} and not ${isMine})::int`.as(
        'beyond',
      ),
    ])
    .executeTakeFirstOrThrow()
  if (ids && answer.count + answer.unwarned + answer.beyond !== ids.length) throw new Failure('not-found')
  return answer
}

/**
 * Reminds warned students, each in words of their own, and keeps what was said: those named, or those whom the filters
 * of the list find. Ids out of sight are refused as a whole; who is not warned is left as they are, and told.
 */
export const promptStudents = (
  ctx: Context,
  { ids: chosen, filter = {}, content }: Checked<typeof thresholdApi.prompt>,
): Promise<Output<typeof thresholdApi.prompt>> =>
  inTransaction(ctx, async (tx) => {
    const ids = chosen ?? (await warnedOf(tx, filter))
    const rows = await warningRows(tx, ids)
    if (rows.length !== ids.length) throw new Failure('not-found')
    const warned = rows.filter((row) => row.warnLevel !== warnLevel.normal)
    if (warned.length === 0) throw new Failure('no-students-to-prompt')
    await send(tx, warned, content)
    await audit(tx, {
      action: '发送预警提醒',
      bizType: 'threshold',
      bizName: `${warned.length} 名学生`,
      after: { people: warned.length, content },
    })
    const { msg } = new Failure('no-students-to-prompt')
    const failed = rows
      .filter((row) => row.warnLevel === warnLevel.normal)
      .map(({ suId, suiName }) => ({ id: suId, name: suiName, msg }))
    return { affected: warned.length, failed }
  })

/** The warned students that the filters of the list find, within the reach of reminding. */
async function warnedOf(tx: Context, filter: WarningFilter): Promise<string[]> {
  const rows = await matchingWarnings(tx, { ...filter, warned: true })
    .select('person.suId')
    .orderBy('person.suId')
    .limit(maxAtOnce + 1)
    .execute()
  if (rows.length > maxAtOnce)
    throw invalidInput([{ field: 'filter', msg: `符合条件的预警学生超过 ${maxAtOnce} 名，请缩小筛选范围后分批发送` }])
  return rows.map(({ suId }) => suId)
}

/** The text for one student. */
const wordsFor = ({ suiName, warnLevel, gaps, zeroTerm }: WarningRow, content: string): string =>
  fillPlaceholders(withPromptPlaceholders(content), {
    姓名: suiName,
    预警等级: labelOf('warn_level', warnLevel),
    学时缺口: gapText(gaps, zeroTerm),
  } satisfies Record<(typeof promptPlaceholders)[number], string>)

async function send(tx: Context, rows: readonly WarningRow[], content: string): Promise<void> {
  const { db, actor, clock } = tx
  const letters = rows.map((row) => ({ suId: row.suId, title: '第二课堂学时提醒', content: wordsFor(row, content) }))
  const iiIds = await notifyEach(tx, letters, messageType.warning, 'threshold')
  const log = rows.map(({ suId, warnLevel, gaps, zeroTerm }, at) => ({
    tpId: newId(),
    suId,
    warnLevel,
    gapText: gapText(gaps, zeroTerm),
    content: letters[at]!.content,
    iiId: iiIds[at],
  }))
  const now = clock.now()
  await sql`
      with log as (
        insert into "thresholdPrompt" (
          "schoolId", "tpId", "suId", "warnLevel", "gapText", "content", "iiId", "createBy", "createName",
          "promptTime"
        )
        select ${actor.schoolId}, r."tpId", r."suId", r."warnLevel", r."gapText", r."content", r."iiId",
          ${actor.suId}::uuid, ${actor.suNickname}, ${now}::timestamptz
        from
        ${recordset(log, { tpId: 'uuid', suId: 'uuid', warnLevel: 'text', gapText: 'text', content: 'text', iiId: 'uuid' })}
        returning "suId"
      )
      update "studentWarning" w
      set "promptCount" = w."promptCount" + 1, "lastPromptTime" = ${now}
      from log
      where w."schoolId" = ${actor.schoolId} and w."suId" = log."suId"`.execute(db)
}

/** What the list may be sorted by. */
const sortable = {
  promptTime: 't.promptTime',
  suiName: 'person.suiName',
  suiNumber: 'person.suiNumber',
  warnLevel: 't.warnLevel',
  createName: 't.createName',
}

/**
 * What students were reminded of, and whether they have read it, the latest first unless another order is asked for.
 */
export async function listPrompts(
  ctx: Context,
  { search, suId, isRead, collegeId, classId, ...page }: Checked<typeof thresholdApi.prompts>,
): Promise<Output<typeof thresholdApi.prompts>> {
  let query = visibleStudents(ctx)
    .innerJoin('thresholdPrompt as t', withinSchool('t.suId', 'person.suId'))
    .leftJoin('informationReceiver as m', (join) =>
      join.onRef('m.schoolId', '=', 't.schoolId').onRef('m.iiId', '=', 't.iiId').onRef('m.suId', '=', 't.suId'),
    )
  if (search) query = query.where(isNamed(search))
  if (suId) query = query.where('t.suId', '=', suId)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (classId) query = query.where('person.scClassId', '=', classId)
  if (isRead) query = query.where(sql<boolean>`coalesce(m."isRead", ${sql.lit(yesNo.no)}) = ${isRead}`)
  const [rows, total] = await Promise.all([
    query
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select([
        't.tpId',
        't.suId',
        'person.suiName',
        'person.suiNumber',
        't.gapText',
        't.content',
        't.promptTime',
        't.createName',
        'm.readTime',
      ])
      .select([
        sql<PromptRow['warnLevel']>`t."warnLevel"`.as('warnLevel'),
        sql<string>`coalesce("scClassName", '')`.as('className'),
        sql<boolean>`coalesce(m."isRead", ${sql.lit(yesNo.no)}) = ${sql.lit(yesNo.yes)}`.as('isRead'),
      ])
      .orderBy(listOrder(page, sortable, 'desc'))
      .orderBy('t.tpId')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute(),
    countOf(query),
  ])
  return asPage(rows, total, page)
}
