import { holidayKind } from '../../../contract/core/codes/school.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { sql } from 'kysely'

const visibleHolidays = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'holiday')

/** Holidays and worked weekend days of a year, in their order. */
export const listHolidays = (ctx: Context, { year }: Checked<typeof schoolInfoApi.holidays>) =>
  visibleHolidays(ctx)
    .select(['hdDate', 'hdName', 'hdKind'])
    .where('hdDate', '>=', `${year}-01-01`)
    .where('hdDate', '<=', `${year}-12-31`)
    .orderBy('hdDate')
    .execute()

/** Enters days by ranges, as many as a year has at once; days that are known already take the new name and kind. */
export function saveHolidays(ctx: Context, { ranges, replaces }: Checked<typeof schoolInfoApi.saveHolidays>) {
  const days = ranges.flatMap(({ hdStart, hdEnd, hdName, hdKind }, range) =>
    daysBetween(hdStart, hdEnd).map((hdDate) => ({ hdDate, hdName, hdKind, range })),
  )
  const twice = days.find(({ hdDate }, at) => days.findIndex((one) => one.hdDate === hdDate) < at)
  if (twice)
    throw invalidInput([
      {
        field: `ranges.${twice.range}.hdStart`,
        msg: `${twice.hdDate} 与“${days.find(({ hdDate }) => hdDate === twice.hdDate)!.hdName}”重复`,
      },
    ])
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'holidays')
    const { schoolId } = tx.actor
    const touched = [...new Set([...replaces, ...days.map(({ hdDate }) => hdDate)])]
    const before = await visibleHolidays(tx)
      .select(['hdDate', 'hdName', 'hdKind'])
      .where('hdDate', 'in', touched)
      .orderBy('hdDate')
      .execute()
    if (replaces.length > 0)
      await tx.db.deleteFrom('holiday').where('schoolId', '=', schoolId).where('hdDate', 'in', replaces).execute()
    await sql`
        insert into "holiday" ("schoolId", "hdDate", "hdName", "hdKind")
        select ${schoolId}, r."hdDate", r."hdName", r."hdKind"
        from ${recordset(days, { hdDate: 'date', hdName: 'text', hdKind: 'text' })}
        on conflict ("schoolId", "hdDate") do update set "hdName" = excluded."hdName", "hdKind" = excluded."hdKind"`.execute(
      tx.db,
    )
    await audit(tx, {
      action: '保存节假日',
      bizType: 'holiday',
      bizId: schoolId,
      bizName: [...new Set(ranges.map(({ hdName }) => hdName))].join('、').slice(0, 100),
      before: asRecord(before),
      after: asRecord(days),
    })
    return { affected: days.length }
  })
}

/** Takes days out of the calendar: they are what their weekday says. Days that are not there are passed over. */
export function removeHolidays(ctx: Context, { dates }: Checked<typeof schoolInfoApi.removeHolidays>) {
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'holidays')
    const { schoolId } = tx.actor
    const gone = await tx.db
      .deleteFrom('holiday')
      .where('schoolId', '=', schoolId)
      .where('hdDate', 'in', [...new Set(dates)])
      .returning(['hdDate', 'hdName', 'hdKind'])
      .execute()
    if (gone.length > 0) {
      const names = [...new Set(gone.map(({ hdName }) => hdName))].join('、').slice(0, 100)
      await audit(tx, {
        action: '删除节假日',
        bizType: 'holiday',
        bizId: schoolId,
        bizName: names,
        before: asRecord(gone),
      })
    }
    return { affected: gone.length }
  })
}

/** `{ 国庆节: '2026-10-01 至 2026-10-07', '国庆节（上班）': '2026-10-10' }`, for the trail. */
function asRecord(days: readonly { hdDate: string; hdName: string; hdKind: string }[]): Record<string, string> {
  const spans: { name: string; from: string; to: string }[] = []
  for (const { hdDate, hdName, hdKind } of days.toSorted((a, b) => (a.hdDate < b.hdDate ? -1 : 1))) {
    const name = hdKind === holidayKind.workday ? `${hdName}（上班）` : hdName
    const last = spans.at(-1)
    if (last?.name === name && addDays(last.to, 1) === hdDate) last.to = hdDate
    else spans.push({ name, from: hdDate, to: hdDate })
  }
  const names = [...new Set(spans.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => [
      name,
      spans
        .filter((span) => span.name === name)
        .map(({ from, to }) => (from === to ? from : `${from} 至 ${to}`))
        .join('、'),
    ]),
  )
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}
