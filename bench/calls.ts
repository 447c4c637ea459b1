import type pg from 'pg'
import type { Call, Input } from '../contract/core/call.ts'
import { supplementType } from '../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../contract/core/codes/school.ts'
import { auditApi } from '../contract/school/audit/audit.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { fieldValues } from '../server/testing/field-values.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { benchSchool, crowdedLesson } from './prepare.ts'

export type Kind = 'list' | 'detail' | 'write'

/** A call to measure, with the inputs that its requests take in turn. */
export interface Measured {
  name: string
  kind: Kind
  call: Call
  inputs: object[]
  /** Field of the input that no two requests may share. */
  unique?: string
  /** Whether each record that was made is saved once more, under the version it was answered with. */
  andChanged?: boolean
  /** Whether it stands for its kind in the short bench. */
  isQuick?: boolean
}

/** Keeps input and call together in their types, which a list of different calls forgets. */
const measured = <C extends Call>(
  name: string,
  kind: Kind,
  call: C,
  inputs: Input<C>[],
  more: Pick<Measured, 'unique' | 'andChanged' | 'isQuick'> = {},
): Measured => ({ name, kind, call, inputs: inputs as object[], ...more })

const idsOf = async (pool: pg.Pool, text: string): Promise<string[]> =>
  (await pool.query<{ id: string }>(text, [benchSchool])).rows.map(({ id }) => id)

/** What records of the benchmark are called; they are removed afterwards. */
export const draftName = '压测补录'

/**
 * Removes the drafts of the benchmark, their rows of the trail included, without asking for each row what refers to it.
 */
export async function removeDrafts(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    for (const schema of ['public', 'bare']) {
      const { rows } = await client.query<{ is: boolean }>(
        `select to_regclass('${schema}."supplement"') is not null and to_regclass('${schema}."auditLog"') is not null as "is"`,
      )
      if (!rows[0]!.is) continue
      for (const [table, column] of [
        ['supplement', 'lisName'],
        ['auditLog', 'bizName'],
      ])
        await client.query(`delete from ${schema}."${table}" where "schoolId" = $1 and "${column}" like $2`, [
          benchSchool,
          `${draftName}%`,
        ])
    }
  } finally {
    client.release(true)
  }
}

/**
 * What drafts of the benchmark say beside their names: many students, for nobody hands in hundreds of records a second
 * for one, and a module that takes them.
 */
async function draftFacts({ pool, services }: Pick<OpenServices, 'pool' | 'services'>) {
  const students = await idsOf(
    pool,
    `select "suId" id
     from "person"
     where "schoolId" = $1 and "suiType" = '${personType.student}' and "suiStatus" = '${studentStatus.enrolled}' and "delFlag" = '0'
     order by "suiNumber" desc
     limit 2000`,
  )
  const { rows: nodes } = await pool.query<{ lsId: string }>(
    `select "lsId"
     from "supplement"
     where "schoolId" = $1 and "lisType" = $2
     group by 1
     order by count(*) desc, 1
     limit 1`,
    [benchSchool, supplementType.certificate],
  )
  return students.map(
    (suId) =>
      ({
        suId,
        lsId: nodes[0]!.lsId,
        lisType: supplementType.certificate,
        lisLevel: '5',
        lisObtainDate: services.clock.now().slice(0, 10),
        lisName: draftName,
      }) as const,
  )
}

/** The calls of the screens that people keep open all day, on records of the big school. */
export async function callsToMeasure(opened: OpenServices): Promise<Measured[]> {
  const { pool, services } = opened
  const values = await fieldValues(services.db, benchSchool)
  const { liId: crowded } = await crowdedLesson(pool)
  const running = await idsOf(
    pool,
    `select "liId" id from "lesson" where "schoolId" = $1 and "delFlag" = '0' and "passCount" between 20 and 1000 order by "liId" limit 64`,
  )
  const records = await idsOf(
    pool,
    `select "lisId" id from "supplement" where "schoolId" = $1 and "delFlag" = '0' order by "lisId" limit 64`,
  )
  const students = await idsOf(
    pool,
    `select "suId" id from "person" where "schoolId" = $1 and "suiType" = '${personType.student}' and "delFlag" = '0' order by "suiNumber" limit 64`,
  )
  const drafts = await draftFacts(opened)
  const { rows: periods } = await pool.query<{ from: string; to: string }>(
    `select (max("lisObtainDate") - interval '5 months')::date::text as "from", (max("lisObtainDate") - interval '2 months')::date::text as "to"
     from "supplement"
     where "schoolId" = $1`,
    [benchSchool],
  )
  const pageOf = { current: 1, pageSize: 20 }
  const ofPeriod = { lisType: supplementType.certificate, obtainStart: periods[0]!.from, obtainEnd: periods[0]!.to }
  return [
    measured(
      'records: kind, 3 months, 赛区',
      'list',
      supplementApi.list,
      [{ ...pageOf, ...ofPeriod, lisName: '赛区' }],
      {
        isQuick: true,
      },
    ),
    measured('records: kind, 3 months, 志愿服务', 'list', supplementApi.list, [
      { ...pageOf, ...ofPeriod, lisName: '志愿服务' },
    ]),
    measured('records: all', 'list', supplementApi.list, [pageOf]),
    measured('courses', 'list', lessonApi.view, [pageOf]),
    measured('courses named 竞赛', 'list', lessonApi.view, [{ ...pageOf, liName: '竞赛' }], { isQuick: true }),
    measured('students', 'list', studentApi.list, [pageOf]),
    measured('students: grade, 王', 'list', studentApi.list, [
      { ...pageOf, suiName: '王', suiGrade: values['suiGrade']!.frequent },
    ]),
    measured('students: college, grade', 'list', studentApi.list, [
      { ...pageOf, suiCollegeId: values['suiCollegeId']!.frequent, suiGrade: values['suiGrade']!.frequent },
    ]),
    measured('teachers', 'list', teacherApi.list, [pageOf]),
    measured(
      'participants of a course',
      'list',
      registrationApi.view,
      running.map((liId) => ({ ...pageOf, liId })),
      { isQuick: true },
    ),
    measured('20,000 participants', 'list', registrationApi.view, [{ ...pageOf, liId: crowded }]),
    measured('messages', 'list', messageApi.inbox, [pageOf]),
    measured('audit log', 'list', auditApi.list, [pageOf]),
    measured('disputes', 'list', disputeApi.list, [pageOf]),
    measured('scores of all students', 'list', transcriptApi.stuScore, [pageOf]),
    measured(
      'a course',
      'detail',
      lessonApi.details,
      running.map((liId) => ({ liId })),
      { isQuick: true },
    ),
    measured(
      'a record',
      'detail',
      supplementApi.detail,
      records.map((lisId) => ({ lisId })),
      { isQuick: true },
    ),
    measured(
      'a student',
      'detail',
      studentApi.detail,
      students.map((id) => ({ id })),
    ),
    measured('a new draft', 'write', supplementApi.save, drafts, {
      unique: 'lisName',
      isQuick: true,
    }),
    measured('a new draft, then changed', 'write', supplementApi.save, drafts, {
      unique: 'lisName',
      andChanged: true,
    }),
  ]
}
