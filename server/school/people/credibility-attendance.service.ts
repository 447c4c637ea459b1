import { signStatus } from '../../../contract/core/codes/programme.ts'
import { addDays } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import {
  lockCredibility,
  reasonOf,
  setBlackUntil,
  writeChanges,
  type CredibilityChange,
} from './credibility-log.service.ts'
import { closesRegistration, credibilityRulesOf, moved } from './credibility-rules.ts'

/** A finished course as far as credibility goes. `isHigh`: of school level or above. */
interface AttendedCourse {
  schoolId: string
  liId: string
  liName: string
  isHigh: boolean
}

/**
 * How a student attended (`dictionary.sign_status`), and how many good sign-ins they had in courses before.
 * `removedFor`: they were taken out of the course after they had signed in, for this reason; null: they were not.
 */
export interface Attendance {
  suId: string
  laSignStatus: string
  removedFor: string | null
  goodBefore: number
}

/** Signs in on time: what counts as keeping one's word. */
export const goodSignStatuses = [signStatus.signedIn, signStatus.signedOut] as const
const attended = new Set<string>([signStatus.signedIn, signStatus.late, signStatus.signedOut, signStatus.madeUp])

/**
 * What a finished course does to its participants' credibility: absence, leaving early and having been removed cost
 * points, good sign-ins and courses of high level gain some, and every so many absences and removals close registration
 * for a time (docs/rules.md R32 and R33). What was lost stands in the log even where nothing was left to lose, for it
 * counts; a gain that had no room is not written.
 * @returns how many were absent, and how many had been removed
 */
export async function recordAttendance(
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  { schoolId, liId, liName, isHigh }: AttendedCourse,
  attendances: readonly Attendance[],
): Promise<{ absent: number; removed: number }> {
  const rules = await credibilityRulesOf(ctx, schoolId)
  const statuses = await lockCredibility(
    ctx,
    schoolId,
    attendances.map(({ suId }) => suId),
  )
  const changes: CredibilityChange[] = []
  const closed: string[] = []
  let [absent, removed] = [0, 0]
  for (const { suId, laSignStatus, removedFor, goodBefore } of attendances) {
    const status = statuses.get(suId)
    if (!status) continue
    let now = status.suiCredibility
    const change = (points: number, reasonCode: string, reason: string) => {
      const after = moved(now, points, rules)
      if (points <= 0 || after !== now) changes.push({ suId, before: now, after, reasonCode, reason, liId })
      now = after
    }
    if (removedFor !== null) {
      removed++
      change(-rules.leftLoss, reasonOf.removed, `签到后被移出课程“${liName}”${removedFor && `：${removedFor}`}`)
      if (closesRegistration(status.absences + 1, rules)) closed.push(suId)
      continue
    }
    if (laSignStatus === signStatus.absent) {
      absent++
      change(-rules.noShowLoss, reasonOf.absence, `缺席课程“${liName}”`)
      if (closesRegistration(status.absences + 1, rules)) closed.push(suId)
    }
    if (laSignStatus === signStatus.leftEarly && rules.leftLoss > 0)
      change(-rules.leftLoss, reasonOf.left, `课程“${liName}”早退`)
    if (
      rules.goodSigns > 0 &&
      goodSignStatuses.some((status) => status === laSignStatus) &&
      (goodBefore + 1) % rules.goodSigns === 0
    )
      change(1, reasonOf.goodSigns, `累计 ${goodBefore + 1} 次按时签到`)
    if (isHigh && rules.highLevelGain > 0 && attended.has(laSignStatus))
      change(rules.highLevelGain, reasonOf.highLevel, `参加校级及以上课程“${liName}”`)
  }
  await writeChanges(ctx, schoolId, changes, { operatorId: null, operatorName: '系统' })
  await setBlackUntil(ctx, schoolId, closed, addDays(ctx.clock.now(), rules.blackDays))
  return { absent, removed }
}
