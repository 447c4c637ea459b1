import type { Insertable } from 'kysely'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { personType } from '../../../../contract/core/codes/school.ts'
import { Failure, invalidInput, type FieldFault } from '../../../../contract/core/failure.ts'
import { imagesIn } from '../../../../contract/core/rich-text.ts'
import { industryFiles } from '../../../../contract/programme/lessons/industry.ts'
import { lessonFields } from '../../../../contract/programme/lessons/lesson-fields.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { assertMayHoldCourses } from '../../circles/circles.service.ts'
import { dayEnd, dayOf, dayStart } from '../../../core/base/clock.ts'
import { together } from '../../../core/base/together.ts'
import { lockWithinSchool } from '../../../core/request/advisory-lock.ts'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Tables } from '../../../core/database/pool.ts'
import type { Term } from '../../../school/school/calendar.ts'
import { termOf } from '../../../school/school/calendar.service.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { columnsFrom } from './field-columns.ts'
import { namedRecords, refuseUnknown } from './named-records.ts'
import { frameOf, hourFaults, peopleByIds, pointsOf, sponsorOf } from './lesson-checks.ts'
import { richFields, type LessonValues } from './lesson-form.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'

/**
 * The form as columns, after everything the school's records have to say about it. While system and level stay, a
 * course keeps the rule it was made under.
 */
export async function columnsOf(
  ctx: Context,
  values: LessonValues,
  known?: { lesson: ReachedLesson; before: LessonValues },
) {
  const given = values.sessions
  const sessions =
    given.length > 0 ? given : [{ startTime: values.startTime, endTime: values.endTime, placeText: values.placeText }]
  const { schoolId } = ctx.actor
  const [frame, sponsor, , people, rules, term, records] = await together(
    frameFor(ctx, values, known?.lesson),
    sponsorOf(ctx, values, known?.lesson),
    assertMayHoldCourses(ctx, values.liCircleId, known?.lesson.liCircleId ?? null),
    peopleByIds(ctx, [values.liPrincipalId, ...values.teacherIds, ...values.signerIds, ...values.reservedIds]),
    schoolSettings(ctx, schoolId),
    termOf(ctx, schoolId, dayOf(values.startTime)),
    namedRecords(ctx, values),
  )
  const liHours = values.liHours ?? frame.rule?.baseHours ?? 0
  const faults = [
    ...textFaults(values),
    ...hourFaults(liHours, frame.rule, sessions, rules.hoursPerDay),
    ...(values.publictyDays === known?.before.publictyDays ? [] : publictyFaults(values.publictyDays, rules)),
  ]
  const { liPrincipalName } = refuseFaults(people, values, faults, known?.before)
  await assertNameFree(ctx, values, sponsor, term, known?.lesson.liId)
  refuseUnknown(records, values, frame.lsFormScheme, known?.before)
  const columns = {
    ...columnsFrom(values),
    liCollegeId: sponsor.liCollegeId,
    liDepartmentId: sponsor.liDepartmentId,
    liSponsorName: sponsor.liSponsorName,
    lsPath: frame.lsPath,
    liHours,
    liPrincipalName,
    esId: frame.rule?.esId ?? null,
    liCredit: frame.rule?.credit ?? 0,
    liPoints: frame.rule ? pointsOf(frame.rule, frame.llFactor) : 0,
  } satisfies Partial<Insertable<Tables['lesson']>>
  return { columns, sessions }
}

async function frameFor(ctx: Context, values: LessonValues, kept?: ReachedLesson) {
  const frame = await frameOf(ctx, values, kept)
  // a node may ask for the form of industry courses; one that was chosen before it did stays
  if (frame.lsFormScheme === 'industry' && values.liScheme !== 'industry' && values.lsId !== kept?.lsId)
    throw invalidInput([{ field: 'lsId', msg: `课程体系“${frame.lsName}”的课程须用行业课程表单填写` }])
  return frame
}

/** What the form said of a rich text holds of what cleaning has left of it, too: there may be nothing. */
const textFaults = (values: LessonValues): FieldFault[] =>
  richFields.flatMap((field) => {
    const fault = lessonFields[field].schema.safeParse(values[field]).error?.issues[0]
    return fault ? [{ field, msg: fault.message }] : []
  })

const publictyFaults = (
  days: number,
  { publictyMin, publictyMax }: Pick<SchoolSettings, 'publictyMin' | 'publictyMax'>,
): FieldFault[] =>
  days < publictyMin || days > publictyMax
    ? [{ field: 'publictyDays', msg: `公示期须为 ${publictyMin} 至 ${publictyMax} 个工作日` }]
    : []

/** People named anew must be in service; those already in the course may stay. All faults are told together. */
function refuseFaults(
  people: Awaited<ReturnType<typeof peopleByIds>>,
  { liPrincipalId, teacherIds, signerIds, reservedIds }: LessonValues,
  faults: FieldFault[],
  before?: LessonValues,
) {
  const known = new Set(
    before ? [before.liPrincipalId, ...before.teacherIds, ...before.signerIds, ...before.reservedIds] : [],
  )
  const fit = (suId: string) => (known.has(suId) ? people.has(suId) : people.get(suId)?.active === true)
  const all = [...faults]
  if (!fit(liPrincipalId)) all.push({ field: 'liPrincipalId', msg: '负责人须为在校师生' })
  if (!teacherIds.every(fit)) all.push({ field: 'teacherIds', msg: '指导老师须为在校师生' })
  if (!signerIds.every(fit)) all.push({ field: 'signerIds', msg: '签到负责人须为在校师生' })
  if (!reservedIds.every((suId) => fit(suId) && (known.has(suId) || people.get(suId)!.suiType === personType.student)))
    all.push({ field: 'reservedIds', msg: '预留名单须为在读或延期学生' })
  if (all.length > 0) throw invalidInput(all)
  return { liPrincipalName: people.get(liPrincipalId)!.suiName }
}

/** Every file that a course names, those inside its texts included. */
export const filesOf = ({ liPoster, liPlan, liAttachments, liExt, ...texts }: LessonValues) => [
  liPoster,
  liPlan,
  ...liAttachments,
  ...industryFiles.map((field) => liExt[field]),
  ...richFields.flatMap((field) => imagesIn(texts[field])),
]

/** Those who give a course the same name wait for each other until the end of their transactions. */
export const lockLessonName = (tx: Context, liName: string): Promise<void> =>
  lockWithinSchool(tx, 'lesson-name', [liName])

/** A name may occur once in a term for one organiser; a series is told apart by its number. */
async function assertNameFree(
  ctx: Context,
  { liName }: LessonValues,
  { liCollegeId, liDepartmentId }: { liCollegeId: string | null; liDepartmentId: string | null },
  { tmStart, tmEnd }: Term,
  liId?: string,
) {
  let query = from(ctx, 'lesson')
    .select('liId')
    .where('liName', '=', liName)
    .where('liStatus', 'not in', [lessonStatus.cancelled, lessonStatus.abnormal])
    .where('startTime', '>=', dayStart(tmStart))
    .where('startTime', '<=', dayEnd(tmEnd))
    .where('liCollegeId', 'is not distinct from', liCollegeId)
    .where('liDepartmentId', 'is not distinct from', liDepartmentId)
  if (liId) query = query.where('liId', '!=', liId)
  const [, taken] = await together(lockLessonName(ctx, liName), query.executeTakeFirst())
  if (taken) throw new Failure('lesson-name-taken', { name: liName })
}
