import type pg from 'pg'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import type { Call, Input } from '../contract/core/call.ts'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { awardType } from '../contract/core/codes/rules.ts'
import { personType, studentStatus } from '../contract/core/codes/school.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { benchSchool, crowdedLesson } from './prepare.ts'

/** A call to measure, with the inputs that its requests take in turn. */
export interface Measured {
  name: string
  kind: 'list' | 'detail' | 'write'
  /** Who makes it; the administrator unless given. */
  user?: 'admin' | 'reviewer'
  call: Call
  inputs: object[]
  /** Field of the input that no two requests may share. */
  unique?: string
}

/** Keeps input and call together in their types, which a list of different calls forgets. */
const measured = <C extends Call>(
  name: string,
  kind: Measured['kind'],
  call: C,
  inputs: Input<C>[],
  more: Pick<Measured, 'user' | 'unique'> = {},
): Measured => ({ name, kind, call, inputs: inputs as object[], ...more })

const idsOf = async (pool: pg.Pool, text: string): Promise<string[]> =>
  (await pool.query<{ id: string }>(text, [benchSchool])).rows.map(({ id }) => id)

/** What awards of the benchmark are called; they are removed afterwards. */
export const awardName = '压测奖励模板'

/** The calls of every screen that people keep open all day, on records of the big school. */
export async function callsToMeasure(pool: pg.Pool): Promise<Measured[]> {
  const { liId: crowded } = await crowdedLesson(pool)
  const running = await idsOf(
    pool,
    `select "liId" id from "lesson" where "schoolId" = $1 and "liStatus" = '${lessonStatus.published}' and "delFlag" = '0' and "passCount" between 20 and 1000 order by "liId" limit 64`,
  )
  const students = await idsOf(
    pool,
    `select "suId" id from "person" where "schoolId" = $1 and "suiType" = '${personType.student}' and "delFlag" = '0' order by "suiNumber" limit 64`,
  )
  const [signer, otherSigner] = await idsOf(
    pool,
    `select "suId" id from "person" where "schoolId" = $1 and "suiType" = '${personType.teacher}' and "suiStatus" = '${studentStatus.enrolled}' and "delFlag" = '0' order by "suiNumber" desc limit 2`,
  )
  const pageOf = { current: 1, pageSize: 20 }
  return [
    measured('courses', 'list', lessonApi.view, [pageOf]),
    measured('courses named 竞赛', 'list', lessonApi.view, [{ ...pageOf, liName: '竞赛' }]),
    measured('courses in two states', 'list', lessonApi.view, [{ ...pageOf, liStatus: '30.2,40' }]),
    measured(
      'participants of a course',
      'list',
      registrationApi.view,
      running.map((liId) => ({ ...pageOf, liId })),
    ),
    measured('20,000 participants', 'list', registrationApi.view, [{ ...pageOf, liId: crowded }]),
    measured('students', 'list', studentApi.list, [pageOf]),
    measured('students named 王', 'list', studentApi.list, [{ ...pageOf, suiName: '王' }]),
    measured('transcripts', 'list', transcriptApi.list, [pageOf]),
    measured('approval queue', 'list', approvalApi.publishQueue, [pageOf], { user: 'reviewer' }),
    measured('scores of all students', 'list', transcriptApi.stuScore, [pageOf]),
    measured(
      'a course',
      'detail',
      lessonApi.details,
      running.map((liId) => ({ liId })),
    ),
    measured(
      'a transcript',
      'detail',
      transcriptApi.header,
      students.map((suId) => ({ suId })),
    ),
    measured(
      'sign-in managers',
      'write',
      lessonApi.signPrincipalAdd,
      running.map((liId) => ({ liId, suIds: [signer!, otherSigner!] })),
    ),
    measured(
      'new award template',
      'write',
      awardApi.add,
      [
        {
          atName: awardName,
          atType: awardType.grade,
          details: [
            { adName: '一等奖', hours: '4' },
            { adName: '二等奖', hours: '3' },
            { adName: '三等奖', hours: '2' },
          ],
        },
      ],
      { unique: 'atName' },
    ),
  ]
}
