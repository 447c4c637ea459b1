import { partakeMode, taskStatus } from '../../contract/core/codes/programme.ts'
import { decide } from '../programme/approvals/approvals.service.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { systemContext } from '../core/request/system.ts'
import { approvalOutcomes } from '../setup/approval-outcomes.ts'
import { saveSupplement } from '../programme/supplements/supplement-save.service.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import { supplementKinds } from './demo-supplements.ts'

/** Those that are refused at the first step they reach, and why. */
const refusals = new Map([
  [4, '证明材料不清晰，请重新上传'],
  [11, '活动时间与证明材料不一致'],
])

/** From when on the school takes what a student of a year did. */
const entered = (grade: string): string => `${grade}-08-16`

/**
 * Records at every step of their approval, and the months in which the school takes them; made through the services
 * that the console uses.
 */
export async function makeSupplementApprovals(
  school: DemoSchool,
  accounts: DemoAccounts,
  students: readonly DemoStudent[],
): Promise<void> {
  const { ctx, db, schoolId, start, random, now } = school
  const month = Number(now.slice(5, 7))
  await db
    .updateTable('school')
    .set({
      settings: JSON.stringify({ supMonths: [...new Set([3, 9, month, (month % 12) + 1])].toSorted((a, b) => a - b) }),
    })
    .where('schoolId', '=', schoolId)
    .execute()
  const system = systemContext({ ...ctx, db }, schoolId)
  const as = (suId: string, suNickname: string) => ({
    ...system,
    actor: { ...system.actor, suId, suNickname, permits: new Set(['sup:list', 'sup:edit', 'approval:supplement']) },
  })
  const people = {
    1: as(accounts.secretary, '团支书'),
    2: as(accounts.college, personas.college),
    3: as(accounts.reviewer, personas.reviewer),
  } as const
  const secretary = students.find(({ suId }) => suId === accounts.secretary)
  if (!secretary) return
  const today = dayOf(now)
  const classmates = students
    .filter(
      ({ scClassId, suId, enrolled, grade }) =>
        enrolled &&
        scClassId === secretary.scClassId &&
        suId !== accounts.secretary &&
        // whoever came today has nothing to hand in yet
        entered(grade) < today,
    )
    .slice(0, 12)
  for (const [at, { suId, grade }] of classmates.entries()) {
    const [lisType, code, child, names] = supplementKinds[(at % 4) + 1]!
    const obtained = dayOf(addDays(now, -random.whole(20, 60)))
    const since = entered(grade)
    const { lisId } = await saveSupplement(as(start.adminId, personas.admin), {
      suId,
      lisName: random.one(names),
      lsId: start.curriculum[`${code}/${child}`]!,
      lisType: lisType as '2',
      lisLevel: random.one(['3', '5']),
      lisPartakeMode: partakeMode.participant,
      lisOrg: '校团委',
      lisObtainDate: obtained < since ? since : obtained,
      certNo: `ZS${random.whole(10_000_000, 99_999_999)}`,
      lisDesc: '在校期间参加，材料原件已由班级核对。',
      lisProofs: [],
      submit: true,
    })
    for (const step of [1, 2, 3].slice(0, at % 3) as (1 | 2)[]) {
      const checker = people[step]
      const task = await db
        .selectFrom('approvalTask as t')
        .innerJoin('approval as a', (join) =>
          join.onRef('a.schoolId', '=', 't.schoolId').onRef('a.insId', '=', 't.insId'),
        )
        .select('t.taskId')
        .where('t.schoolId', '=', schoolId)
        .where('a.bizId', '=', lisId)
        .where('t.checkerId', '=', checker.actor.suId)
        .where('t.taskStatus', '=', taskStatus.pending)
        .executeTakeFirst()
      const refusal = refusals.get(at)
      if (task)
        await decide(
          checker,
          approvalOutcomes,
          'supplement',
          task.taskId,
          refusal ? { verdict: 'refuse', opinion: refusal } : { verdict: 'pass', opinion: '情况属实' },
        )
    }
  }
  // they were handed in some days before they were decided
  await db
    .updateTable('approval')
    .set({ startTime: addDays(now, -2) })
    .where('schoolId', '=', schoolId)
    .where('bizType', '=', 'supplement')
    .where('endTime', 'is not', null)
    .execute()
}
