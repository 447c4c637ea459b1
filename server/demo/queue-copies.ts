import { sql, type RawBuilder } from 'kysely'
import {
  applyStatus,
  approvalStatus,
  lessonStatus,
  publictyStatus,
  questionStatus,
  questionType,
  resultStatus,
  supplementStatus,
  supplementType,
} from '../../contract/core/codes/programme.ts'
import { richFromPlain } from '../../contract/core/rich-text.ts'
import type { Db, Tables } from '../core/database/pool.ts'
import { addDays } from '../core/base/clock.ts'
import { levelSeed } from '../setup/seeds.ts'
import { nextLessonNumber } from '../programme/lessons/planning/lesson-number.ts'
import { bulkInsert } from './bulk.ts'
import { personas } from './demo-accounts.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import type { Decider } from './queue-cases.ts'

interface CopyOptions {
  /** States of courses that it may be made from. */
  from: readonly string[]
  name: string
  series: 'publish' | 'result' | 'question'
  withQuestion: boolean
  liLevel: string
  liCollegeId: string | null
  liDepartmentId: string | null
  principal: Decider
}

export interface CopiedLesson {
  liId: string
  liName: string
  summary: string
  question?: { qId: string; acceptBy: string; barred: string[] }
}

const levelNames = new Map<string, string>(levelSeed.map(([llId, llName]) => [llId, llName]))
/** Courses of a name are held one after the other: those in notice were first, those being planned come last. */
const terms = { question: '第一期', result: '第二期', publish: '第三期' }

/** Copies rows within a table, some of their fields changed; `more` says what differs from row to row. */
const copyRows = (
  db: Db,
  table: keyof Tables,
  where: RawBuilder<unknown>,
  changed: object,
  more: RawBuilder<unknown> = sql`'{}'::jsonb`,
) =>
  sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(t, ${JSON.stringify(changed)}::jsonb || ${more})).*
    from ${sql.table(table)} t
    where ${where}`.execute(db)

/**
 * A course like one that is in a state already, with its sessions and participants, of another level, name and
 * principal; undefined where there is none to copy.
 */
export async function copyLesson(
  { db, schoolId, random, now, start }: DemoSchool,
  { from, name, series, withQuestion, principal, ...place }: CopyOptions,
): Promise<CopiedLesson | undefined> {
  const { rows } = await sql<{ liId: string; moduleId: string; startTime: string; people: string[] }>`
      select l."liId", l."lsPath"[1]::text "moduleId", l."startTime",
        array(
          select r."suId"::text
          from "registration" r
          where r."schoolId" = l."schoolId"
            and r."liId" = l."liId"
            and r."delFlag" = '0'
            and r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
          order by r."laId"
          limit 2
        ) "people"
      from "lesson" l
      where l."schoolId" = ${schoolId} and l."liStatus" = any(${from}::text[]) and l."delFlag" = '0'
      order by l."liNo"
      limit 20`.execute(db)
  const fit = rows.filter(({ people }) => !withQuestion || people.length === 2)
  if (fit.length === 0) return undefined
  const source = random.one(fit)
  const liId = random.id()
  const rule = await db
    .selectFrom('evaluation')
    .select('esId')
    .where('schoolId', '=', schoolId)
    .where('lsId', '=', source.moduleId)
    .where('esLessonLevel', '=', place.liLevel)
    .executeTakeFirst()
  const liName = `${name}（${terms[series]}）`
  await copyRows(db, 'lesson', sql`t."schoolId" = ${schoolId} and t."liId" = ${source.liId}::uuid`, {
    ...place,
    liId,
    liNo: await nextLessonNumber(db, schoolId, now),
    liName,
    liIntro: richFromPlain(`${name}由校、院、班三级团组织共同筹备，全程参加并签到的同学可获得相应学时。`),
    liSponsorName: place.liCollegeId === null ? '校团委实践部' : '院团委',
    liPrincipalId: principal.suId,
    liPrincipalName: principal.suiName,
    contactName: principal.suiName,
    createBy: principal.suId,
    createName: principal.suiName,
    ...(rule ? { esId: rule.esId } : {}),
    ...(withQuestion ? { liStatus: lessonStatus.questioned } : {}),
  })
  await copyRows(db, 'lessonSession', ofLesson(schoolId, source.liId), { liId })
  await bulkInsert(db, 'lessonPerson', [{ schoolId, liId, suId: principal.suId, lpRole: 'teacher' }])
  await copyRows(
    db,
    'registration',
    ofLesson(schoolId, source.liId),
    { liId },
    sql`jsonb_build_object('laId', md5(${liId} || t."suId")::uuid)`,
  )
  // it was approved and published like the one it is a copy of
  const published = sql`t."schoolId" = ${schoolId}
    and t."insId" in (
      select "insId"
      from "approval"
      where "schoolId" = ${schoolId}
        and "bizId" = ${source.liId}::uuid
        and "nodeName" = 'PUBLISH'
        and "insStatus" = ${sql.lit(approvalStatus.passed)}
    )`
  const insId = sql`md5(${liId} || t."insId")::uuid`
  await copyRows(
    db,
    'approval',
    published,
    { bizId: liId, bizName: liName },
    sql`jsonb_build_object('insId', ${insId})`,
  )
  await copyRows(
    db,
    'approvalTask',
    published,
    {},
    sql`jsonb_build_object('insId', ${insId}, 'taskId', md5(${liId} || t."taskId")::uuid)`,
  )
  if (withQuestion) await copyRows(db, 'publictyRound', ofLesson(schoolId, source.liId), { liId })
  const copied = {
    liId,
    liName,
    summary: `${levelNames.get(place.liLevel) ?? ''} · ${source.startTime.slice(0, 16)}`,
  }
  if (!withQuestion) return copied
  const [targetSuId, reporterSuId] = source.people as [string, string]
  const qId = random.id()
  const asked = addDays(now, -1)
  await bulkInsert(db, 'question', [
    {
      schoolId,
      qId,
      liId,
      targetSuId,
      reporterSuId,
      qType: questionType.falseAttendance,
      qContent: random.one([
        '该同学当天没有到场，由他人代为签到，请核实。',
        '该同学中途离场，没有参加后半段活动，请核实其学时。',
        '公示的奖项与现场宣布的不一致，请核对。',
      ]),
      qStatus: questionStatus.inReview,
      source: '1',
      deadline: addDays(now, 4),
      acceptName: personas.college,
      acceptTime: now,
      createBy: start.adminId,
      createName: personas.admin,
      createTime: asked,
      updateTime: now,
    },
  ])
  return { ...copied, question: { qId, acceptBy: start.adminId, barred: [targetSuId, reporterSuId] } }
}

const ofLesson = (schoolId: string, liId: string) => sql`t."schoolId" = ${schoolId} and t."liId" = ${liId}::uuid`

const labour = ['校园绿化养护', '食堂帮厨实践', '图书馆书库整理', '宿舍楼道清洁周', '实验室开放日清扫']

/**
 * A record like one that was credited, of another student and under approval; undefined where there is none to copy.
 * @param code the module it is of, instead of its own
 */
export async function copySupplement(
  { db, schoolId, random, now, start }: DemoSchool,
  student: DemoStudent,
  code?: string,
): Promise<{ lisId: string; lisName: string; summary: string } | undefined> {
  const sources = await db
    .selectFrom('supplement')
    .select(['lisId', 'lisName', 'lisLevel', 'lisHours'])
    .where('schoolId', '=', schoolId)
    .where('lisStatus', '=', supplementStatus.credited)
    .where('lisType', '<>', supplementType.competitionAward)
    .orderBy('lisId')
    .limit(40)
    .execute()
  const obtained = addDays(now.slice(0, 10), -random.whole(16, 30))
  if (sources.length === 0 || obtained < `${student.grade}-08-16`) return undefined
  const source = random.one(sources)
  const lisId = random.id()
  const lisName = code ? random.one(labour) : source.lisName
  const moduleId = code ? start.curriculum[code] : undefined
  const child = Object.entries(start.curriculum).find(([key]) => code && key.startsWith(`${code}/`))?.[1]
  const rule = moduleId
    ? await db
        .selectFrom('evaluation')
        .select('esId')
        .where('schoolId', '=', schoolId)
        .where('lsId', '=', moduleId)
        .where('esLessonLevel', '=', source.lisLevel)
        .executeTakeFirst()
    : undefined
  await copyRows(db, 'supplement', sql`t."schoolId" = ${schoolId} and t."lisId" = ${source.lisId}::uuid`, {
    lisId,
    lisName,
    suId: student.suId,
    ...(moduleId && child && rule
      ? { lsId: child, lsPath: [moduleId, child], esId: rule.esId, lisType: supplementType.honour }
      : {}),
    lisStatus: supplementStatus.inReview,
    lisObtainDate: obtained,
    createTime: addDays(`${obtained} 10:00:00`, 2),
    lisPublictyStatus: publictyStatus.none,
    lisPublictySdate: null,
    lisPublictyEdate: null,
    passTime: null,
    completeTime: null,
    certNo: `ZS${random.whole(10_000_000, 99_999_999)}`,
    lisDesc: '在校期间参加，材料原件已由班级核对。',
  })
  return {
    lisId,
    lisName,
    summary: `${student.suiName}（${student.suiNumber}），${source.lisHours / 100} 学时`,
  }
}
