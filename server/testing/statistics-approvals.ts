import { taskStatus } from '../../contract/core/codes/programme.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { bulkInsert } from '../demo/bulk.ts'
import type { StatisticsWorld } from './statistics-world.ts'

/** Approvals of courses and supplements in every state, each with a task of a member of staff. */
export async function addApprovals(
  { school, staff, lessons, random }: Pick<StatisticsWorld, 'school' | 'staff' | 'lessons' | 'random'>,
  supplements: readonly string[],
): Promise<void> {
  const {
    ctx: { db, clock },
    schoolId,
  } = school
  const now = clock.now()
  const ago = (days: number) => addMinutes(addDays(now, -random.whole(0, days)), -random.whole(0, 1400))
  const approval = (bizType: string, bizId: string) => {
    const startTime = ago(400)
    const insStatus = random.one(['1', '1', '2', '3'])
    return {
      schoolId,
      insId: newId(),
      bizType,
      bizId,
      bizName: '',
      wfId: newId(),
      wfName: '',
      wfVersion: 1,
      nodeName: 'PUBLISH',
      insStatus,
      steps: [],
      startBy: staff[0]!,
      startName: '',
      startTime,
      endTime: addMinutes(startTime, random.whole(10, 5000)),
    }
  }
  const approvals = [
    ...lessons.flatMap((liId) => Array.from({ length: random.whole(0, 2) }, () => approval('publish', liId))),
    ...random.some(supplements, 25).map((lisId) => approval('supplement', lisId)),
  ]
  await bulkInsert(db, 'approval', approvals)
  await bulkInsert(
    db,
    'approvalTask',
    approvals.map(({ insId, bizType, startTime, endTime }) => {
      const status = random.one(['0', '1', '1', '2', '3'])
      return {
        schoolId,
        taskId: newId(),
        insId,
        bizType,
        stepName: '审批',
        stepSort: 1,
        checkerId: random.one(staff),
        checkerName: '',
        taskStatus: status,
        arriveTime: startTime,
        handleTime: status === taskStatus.pending ? null : endTime,
      }
    }),
  )
}
