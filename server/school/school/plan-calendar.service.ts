import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { routes } from '../../core/request/routes.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'

type Reader = Pick<Context, 'db' | 'actor'>
const visiblePlaces = (ctx: Reader) => from(ctx, 'place')
const visibleExamWeeks = (ctx: Reader) => from(ctx, 'examWeek')
const canOf = ({ actor }: Context) => (actor.permits.has('school:edit') ? (['edit', 'delete'] as const).slice() : [])

async function listPlaces(ctx: Context, input: Checked<typeof planCalendarApi.places>) {
  let query = visiblePlaces(ctx)
  if (input.plName) query = query.where(contains('plName', input.plName))
  const [rows, total] = await Promise.all([
    query
      .select(['plId', 'plName', 'plCapacity', 'version'])
      .orderBy('plName')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map((row) => ({ ...row, can: canOf(ctx) })),
    total,
    input,
  )
}

/** Adds a place or changes one. Names of places are their own, spaces aside: courses are compared with them by name. */
function savePlace(ctx: Context, { plId, version, ...fields }: Checked<typeof planCalendarApi.savePlace>) {
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'plan-calendar')
    let same = visiblePlaces(tx)
      .select('plId')
      .where(sql<boolean>`${bareName(sql.ref('plName'))} = ${bareName(sql.val(fields.plName))}`)
    if (plId) same = same.where('plId', '<>', plId)
    if (await same.executeTakeFirst()) throw new Failure('name-taken', { what: '场地', name: fields.plName })
    const before = plId
      ? await visiblePlaces(tx).selectAll().where('plId', '=', plId).forUpdate().executeTakeFirst()
      : undefined
    if (plId) assertVersion(tx, before, version)
    const row = { plId: plId ?? newId(), ...fields }
    if (plId)
      await tx.db
        .updateTable('place')
        .set({ ...fields, ...updatedColumns(tx) })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('plId', '=', plId)
        .execute()
    else
      await tx.db
        .insertInto('place')
        .values({ ...createdColumns(tx), ...row })
        .execute()
    await audit(tx, {
      action: plId ? '编辑场地' : '新增场地',
      bizType: 'school',
      bizId: tx.actor.schoolId,
      bizName: fields.plName,
      ...(before ? changedFields(before, fields) : { after: fields }),
    })
    return { plId: row.plId }
  })
}

const bareName = (name: ReturnType<typeof sql.val | typeof sql.ref>) => sql`regexp_replace(${name}, '\\s', '', 'g')`

function removePlaces(ctx: Context, { plIds }: Checked<typeof planCalendarApi.removePlaces>) {
  return inTransaction(ctx, async (tx) => {
    const gone = await tx.db
      .deleteFrom('place')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('plId', plIds))
      .returning(['plName', 'plCapacity'])
      .execute()
    if (gone.length !== plIds.length) throw new Failure('not-found')
    await auditMany(
      tx,
      gone.map((row) => ({
        action: planCalendarApi.removePlaces.summary,
        bizType: 'school',
        bizId: tx.actor.schoolId,
        bizName: row.plName,
        before: row,
      })),
    )
    return { affected: gone.length }
  })
}

async function listExamWeeks(ctx: Context, input: Checked<typeof planCalendarApi.examWeeks>) {
  const [rows, total] = await Promise.all([
    visibleExamWeeks(ctx)
      .select(['ewId', 'ewName', 'ewStart', 'ewEnd', 'version'])
      .orderBy('ewStart', 'desc')
      .orderBy('ewId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(visibleExamWeeks(ctx)),
  ])
  return asPage(
    rows.map((row) => ({ ...row, can: canOf(ctx) })),
    total,
    input,
  )
}

function saveExamWeek(ctx: Context, { ewId, version, ...fields }: Checked<typeof planCalendarApi.saveExamWeek>) {
  return inTransaction(ctx, async (tx) => {
    const before = ewId
      ? await visibleExamWeeks(tx).selectAll().where('ewId', '=', ewId).forUpdate().executeTakeFirst()
      : undefined
    if (ewId) assertVersion(tx, before, version)
    const row = { ewId: ewId ?? newId(), ...fields }
    if (ewId)
      await tx.db
        .updateTable('examWeek')
        .set({ ...fields, ...updatedColumns(tx) })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('ewId', '=', ewId)
        .execute()
    else
      await tx.db
        .insertInto('examWeek')
        .values({ ...createdColumns(tx), ...row })
        .execute()
    await audit(tx, {
      action: ewId ? '编辑考试周' : '新增考试周',
      bizType: 'school',
      bizId: tx.actor.schoolId,
      bizName: fields.ewName,
      ...(before ? changedFields(before, fields) : { after: fields }),
    })
    return { ewId: row.ewId }
  })
}

function removeExamWeeks(ctx: Context, { ewIds }: Checked<typeof planCalendarApi.removeExamWeeks>) {
  return inTransaction(ctx, async (tx) => {
    const gone = await tx.db
      .deleteFrom('examWeek')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('ewId', ewIds))
      .returning(['ewName', 'ewStart', 'ewEnd'])
      .execute()
    if (gone.length !== ewIds.length) throw new Failure('not-found')
    await auditMany(
      tx,
      gone.map((row) => ({
        action: planCalendarApi.removeExamWeeks.summary,
        bizType: 'school',
        bizId: tx.actor.schoolId,
        bizName: row.ewName,
        before: row,
      })),
    )
    return { affected: gone.length }
  })
}

/** The places of these names, spaces aside, with how many people each holds. */
export const placesNamed = (ctx: Reader, names: readonly string[]) =>
  visiblePlaces(ctx)
    .select(['plName', 'plCapacity'])
    .where(
      sql<boolean>`${bareName(sql.ref('plName'))} = any(${names.map((name) => name.replaceAll(/\s/g, ''))}::text[])`,
    )
    .execute()

/** The exam weeks that have a day within a stretch of time. */
export const examWeeksBetween = (ctx: Reader, startTime: string, endTime: string) =>
  visibleExamWeeks(ctx)
    .select(['ewName', 'ewStart', 'ewEnd'])
    .where('ewStart', '<=', endTime.slice(0, 10))
    .where('ewEnd', '>=', startTime.slice(0, 10))
    .orderBy('ewStart')
    .execute()

export const planCalendarRoutes = routes(planCalendarApi, {
  places: listPlaces,
  savePlace,
  removePlaces,
  examWeeks: listExamWeeks,
  saveExamWeek,
  removeExamWeeks,
})
