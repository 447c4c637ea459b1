import { sql } from 'kysely'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, partakeMode, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { SheetRow } from '../../../../contract/core/sheets.ts'
import type { applySheet } from '../../../../contract/programme/lessons/registration.sheets.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { signed, signMethods, writeSigns } from '../signing/attendance.service.ts'
import type { Candidate } from '../model/admission.ts'
import { lessonMoves, refusalOf, type LessonAuthority } from '../model/lesson-life.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { placesOf, type Award, type Rating } from '../model/rating.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { groupsOf } from '../model/seats.ts'
import { awardBase, holdersByAward, rate } from '../result/result.service.ts'

/**
 * What a sheet of participants may say beside who takes part: that they came, what they won, and hours where the school
 * lets them be given.
 */
export type ApplyRow = SheetRow<typeof applySheet>

interface Merits {
  /** Of how many a share is taken for an award. */
  base: number
  rating: Rating
  /** Why attendance or awards cannot be entered now; undefined when they can. */
  signFault: string | undefined
  awardFault: string | undefined
  hoursAllowed: boolean
  /** Numbers of those for whom no place of their award is left, in the order of the sheet. */
  unplaced: ReadonlySet<string>
}

const awardNamed = ({ awards }: Rating, name: string): Award | undefined =>
  awards.find(({ adName, withdrawn }) => adName === name && !withdrawn)
const isHere = (found: Candidate | undefined): boolean =>
  found?.laSignStatus != null && attendedStatuses.includes(found.laSignStatus)

/** Reads what is needed to check attendance, awards and hours of a sheet. */
export async function meritsFor(
  ctx: Context,
  lesson: ReachedLesson,
  rating: Rating,
  authority: LessonAuthority,
  hoursAllowed: boolean,
  rows: readonly ApplyRow[],
  byNumber: ReadonlyMap<string, Candidate>,
): Promise<Merits> {
  const now = ctx.clock.now()
  const faultOf = (move: 'sign' | 'award') => {
    const refusal = refusalOf(move, lesson, authority, now)
    return (
      refusal &&
      new Failure(refusal, { act: lessonMoves[move].name, signOpenMinutes: authority.rules.signOpenMinutes }).msg
    )
  }
  const unplaced = new Set<string>()
  const base = await awardBase(ctx, lesson)
  const holders = rows.some(({ awardName }) => awardName !== '')
    ? await holdersByAward(ctx, lesson.liId)
    : new Map<string, number>()
  for (const award of rating.awards) {
    const places = placesOf(award, base)
    const gain = groupsOf(
      rows
        .filter(
          ({ awardName, suiNumber }) => awardName === award.adName && byNumber.get(suiNumber)?.adId !== award.adId,
        )
        .map(({ suiNumber, teamName }) => ({ suiNumber, teamId: teamName || null })),
    )
    if (places !== null)
      for (const { suiNumber } of gain.slice(Math.max(0, places - (holders.get(award.adId) ?? 0))).flat())
        unplaced.add(suiNumber)
  }
  return { base, rating, signFault: faultOf('sign'), awardFault: faultOf('award'), hoursAllowed, unplaced }
}

interface Fault {
  key: keyof ApplyRow
  msg: string
}

/** What is wrong with a row's attendance, award and hours. `admitted`: they have, or will have, a place. Pure. */
export function meritFaults(
  row: ApplyRow,
  found: Candidate | undefined,
  admitted: boolean,
  { base, rating, signFault, awardFault, hoursAllowed, unplaced }: Merits,
): Fault[] {
  const faults: Fault[] = []
  const fault = (key: keyof ApplyRow, msg: string) => faults.push({ key, msg })
  const award = awardNamed(rating, row.awardName)
  const wins = row.awardName !== '' && row.awardName !== found?.awardName
  const comes = row.signed === '是' && !isHere(found)
  const counts = row.laHours !== null && row.laHours !== found?.laHours
  const hasFailed = found?.laResult === resultStatus.failed && !wins
  const isEarly = found?.laSignStatus === signStatus.leftEarly
  const early = new Failure('left-early-no-award', { name: row.suiName })
  if ((comes || wins || counts) && !admitted)
    fault(comes ? 'signed' : wins ? 'awardName' : 'laHours', '该学生未被录取，不能登记签到、奖项或学时')
  if (row.signed === '否' && isHere(found)) fault('signed', '该学生已有签到记录，请在名单中修改')
  if (comes && signFault) fault('signed', signFault)
  if (wins) {
    if (!award)
      fault(
        'awardName',
        rating.awards.some(({ withdrawn }) => !withdrawn)
          ? `本课程没有奖项“${row.awardName}”，可填：${rating.awards.flatMap(({ adName, withdrawn }) => (withdrawn ? [] : [adName])).join('、')}`
          : '本课程不设奖项，请留空',
      )
    else if (unplaced.has(row.suiNumber))
      fault('awardName', new Failure('award-quota-full', { award: award.adName, quota: placesOf(award, base)! }).msg)
    if (awardFault) fault('awardName', awardFault)
    else if (row.signed !== '是' && !isHere(found)) fault('awardName', '没有签到记录，不能评定为获奖')
    else if (isEarly) fault('awardName', early.msg)
  }
  if (counts) {
    const cap = rating.rule?.hourCap ?? null
    const { perDay, days } = rating.dayCap
    if (!hoursAllowed) fault('laHours', '本校不允许在名单中填写学时，请留空，由系统按评价规则计算')
    else if (awardFault) fault('laHours', awardFault)
    else if (row.signed !== '是' && !isHere(found)) fault('laHours', '没有签到记录，不能认定学时')
    else if (isEarly) fault('laHours', early.msg)
    // whoever did not pass is not made to pass by a number in a sheet
    else if (hasFailed) fault('laHours', '该学生已评定为不合格，不能认定学时；请先在名单中改为合格或获奖')
    else if (cap !== null && row.laHours! > cap) fault('laHours', `学时不能超过评价规则的上限 ${fromHundredths(cap)}`)
    else if (row.laHours! > perDay * days)
      fault(
        'laHours',
        `学时每天不能超过 ${fromHundredths(perDay)}，本活动共 ${days} 天，最多 ${fromHundredths(perDay * days)}`,
      )
  }
  return faults
}

interface Merited {
  row: ApplyRow
  found: Candidate
  laId: string
}

/**
 * Writes attendance, awards and hours of rows that are in the course, in that order, for each follows from the one
 * before.
 */
export async function writeMerits(ctx: Context, liId: string, rows: readonly Merited[], rating: Rating): Promise<void> {
  // read anew: its places have been taken meanwhile
  const lesson = await lessonFor(ctx, 'register', liId)
  const at = ctx.clock.now() < lesson.startTime ? ctx.clock.now() : lesson.startTime
  const state = new Map(
    rows.map(({ row, found, laId }) => [
      laId,
      {
        laId,
        suiName: row.suiName,
        suiNumber: row.suiNumber,
        laStatus: applyStatus.accepted,
        laSignStatus: found.laSignStatus ?? signStatus.notSigned,
        laResult: found.laResult ?? resultStatus.unrated,
        signInTime: found.signInTime,
        signOutTime: found.signOutTime,
        partakeMode: found.partakeMode ?? partakeMode.participant,
      },
    ]),
  )
  const fresh = await from(ctx, 'registration')
    .select(['laId', 'laStatus', 'laSignStatus', 'laResult', 'signInTime', 'signOutTime', 'partakeMode'])
    .where(anyOf('laId', [...state.keys()]))
    .execute()
  for (const one of fresh) Object.assign(state.get(one.laId)!, one)
  const coming = rows.filter(
    ({ row, laId }) => row.signed === '是' && !attendedStatuses.includes(state.get(laId)!.laSignStatus),
  )
  if (coming.length > 0) {
    // whoever is on a list made afterwards also stayed to the end
    const status =
      lesson.signOutOn === yesNo.yes && ctx.clock.now() >= lesson.endTime ? signStatus.signedOut : signStatus.signedIn
    const signs = coming.map(({ laId }) => ({ row: state.get(laId)!, sign: signed(state.get(laId)!, status, at) }))
    await writeSigns(ctx, lesson, signs, signMethods.sheet)
    for (const { row, sign } of signs) Object.assign(row, sign)
  }
  const winners = rows.filter(({ row, found }) => row.awardName !== '' && row.awardName !== found.awardName)
  for (const name of new Set(winners.map(({ row }) => row.awardName))) {
    const some = winners.filter(({ row }) => row.awardName === name).map(({ laId }) => state.get(laId)!)
    await rate(ctx, lesson, some, resultStatus.awarded, awardNamed(rating, name)!.adId)
    for (const one of some) one.laResult = resultStatus.awarded
  }
  const counted = rows.filter(({ row, found }) => row.laHours !== null && row.laHours !== found.laHours)
  const unrated = counted
    .map(({ laId }) => state.get(laId)!)
    .filter(({ laResult }) => laResult === resultStatus.unrated)
  if (unrated.length > 0) await rate(ctx, lesson, unrated, resultStatus.passed, null)
  if (counted.length > 0) {
    await sql`update "registration" t set "laHours" = r."laHours", "version" = t."version" + 1 from ${recordset(
      counted.map(({ laId, row }) => ({ laId, laHours: row.laHours })),
      { laId: 'uuid', laHours: 'int' },
    )}
      where t."schoolId" = ${ctx.actor.schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  }
}
