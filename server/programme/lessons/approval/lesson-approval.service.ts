import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { lessonStatus, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { flowCheckerType, flowType } from '../../../../contract/core/codes/rules.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { placesText } from '../../../../contract/programme/lessons/team-fields.ts'
import type { Difference } from '../../../../contract/core/difference.ts'
import { plannedSteps, previewApproval, startApproval } from '../../approvals/approvals.service.ts'
import { circleTeachers } from '../../circles/circles.service.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import type { SubjectFacts } from '../../../rules/workflow/checkers.service.ts'
import { fateWords, openTypes } from '../../../rules/workflow/fate-words.ts'
import { assertLeadTime } from './lead-time.ts'
import type { ContentField } from '../../../core/base/submitted-content.ts'
import { lessonContent } from '../form/lesson-content.service.ts'
import type { LessonValues } from '../form/lesson-form.ts'
import { frameOf, peopleByIds, pointsOf } from '../form/lesson-checks.ts'
import type { LessonStatus } from '../../../../contract/core/codes/programme.ts'
import { lessonMoves, lessonTransitions } from '../model/lesson-life.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'

export type Subject = Pick<
  ReachedLesson,
  | 'liId'
  | 'liStatus'
  | 'liName'
  | 'lsId'
  | 'lsPath'
  | 'liLevel'
  | 'liCollegeId'
  | 'liDepartmentId'
  | 'liCircleId'
  | 'liPrincipalId'
  | 'startTime'
  | 'endTime'
  | 'quota'
  | 'quotaUnit'
  | 'liHours'
  | 'liCredit'
>

/**
 * Puts a course before the people who approve its publication, early enough where the school wants that.
 * @param values what it says
 * @returns its new state
 */
export async function startPublishApproval(
  ctx: Context,
  lesson: Subject,
  values: LessonValues,
  changes: Difference[] = [],
): Promise<LessonStatus> {
  await assertLeadTime(ctx, lesson.startTime)
  return (await askPublish(ctx, lesson, values, changes)) ? lessonTransitions.publishPassed.to : lessonMoves.submit.to
}

/** Puts a change of a published course before the same people. @returns whether nobody had to be asked */
export async function startChangeApproval(
  ctx: Context,
  lesson: Subject,
  values: LessonValues,
  changes: Difference[],
  isMoved: boolean,
): Promise<boolean> {
  if (isMoved) await assertLeadTime(ctx, lesson.startTime)
  return askPublish(ctx, lesson, values, changes)
}

async function askPublish(
  ctx: Context,
  lesson: Subject,
  values: LessonValues,
  changes: Difference[],
): Promise<boolean> {
  const facts = `${lesson.startTime.slice(0, 16)} 至 ${lesson.endTime.slice(0, 16)}，${placesText(lesson)}，${fromHundredths(lesson.liHours)} 学时`
  const summary =
    changes.length > 0 && lesson.liStatus === lessonStatus.published
      ? `变更：${changes.map(({ label }) => label).join('、')}`
      : facts
  const { ended } = await startApproval(ctx, {
    bizType: 'publish',
    nodeName: 'PUBLISH',
    summary,
    changes,
    content: await lessonContent(ctx, values),
    ...(await lessonSubject(ctx, lesson)),
  })
  return ended === 'passed'
}

/** Puts the result of a course before the people who approve it. @returns its new state */
export async function startResultApproval(
  ctx: Context,
  lesson: Subject,
  { summary, content }: { summary: string; content: ContentField[] },
): Promise<LessonStatus> {
  const { ended } = await startApproval(ctx, {
    bizType: 'result',
    nodeName: 'RESULT',
    summary,
    content,
    ...(await lessonSubject(ctx, lesson)),
  })
  return ended ? lessonTransitions.resultPassed.to : lessonMoves.resultAudit.to
}

/** Where a course lies and who has to do with it, for choosing a flow and its people. */
export async function lessonSubject(ctx: Context, lesson: Subject) {
  const { liId, liName, lsPath, liLevel, liCredit, liCollegeId, liDepartmentId, liCircleId, liPrincipalId } = lesson
  const { rows } = await sql<{ classId: string | null; teacherIds: string[] }>`select (
      select "scClassId"
      from "person"
      where "schoolId" = ${ctx.actor.schoolId} and "suId" = ${liPrincipalId}::uuid
    ) as "classId",
      array(
        select "suId"::text
        from "lessonPerson"
        where "schoolId" = ${ctx.actor.schoolId} and "liId" = ${liId}::uuid and "lpRole" = ${sql.lit(lessonPersonRole.teacher)}
      ) as "teacherIds"`.execute(ctx.db)
  return {
    bizId: liId,
    bizName: liName,
    case: { wfType: flowType.lesson, initiatorRoleIds: ctx.actor.roleIds, lsPath, level: liLevel, credit: liCredit },
    facts: {
      lsPath,
      collegeId: liCollegeId,
      departmentId: liDepartmentId,
      principalId: liPrincipalId,
      circleTeacherIds: await circleTeachers(ctx, liCircleId),
      ...rows[0]!,
    },
  }
}

/** What a flow is chosen by and its people are found by, for a form; and the rule the course would have. */
async function subjectOfForm(ctx: Context, input: Checked<typeof lessonApi.flowPreview>) {
  const { lsPath, rule, llFactor } = await frameOf(ctx, input)
  const principal = input.liPrincipalId
    ? (await peopleByIds(ctx, [input.liPrincipalId])).get(input.liPrincipalId)
    : undefined
  const own = await from(ctx, 'person').select('suiCollegeId').where('suId', '=', ctx.actor.suId).executeTakeFirst()
  const collegeId = input.liCollegeId ?? (input.liDepartmentId || ctx.scope.whole ? null : (own?.suiCollegeId ?? null))
  const facts = {
    lsPath,
    collegeId,
    departmentId: input.liDepartmentId ?? null,
    classId: principal?.scClassId ?? null,
    principalId: principal?.suId ?? null,
    teacherIds: input.teacherIds,
    circleTeacherIds: await circleTeachers(ctx, input.liCircleId ?? null),
  }
  const wanted = {
    wfType: flowType.lesson,
    initiatorRoleIds: ctx.actor.roleIds,
    lsPath,
    level: input.liLevel,
    credit: rule?.credit ?? 0,
  }
  return { wanted, facts, rule, llFactor }
}

/** Whom these mean follows from who is responsible for the course. */
const ofPrincipal: ReadonlySet<string> = new Set([
  flowCheckerType.principal,
  flowCheckerType.classSecretary,
  flowCheckerType.counsellor,
])

/** What to choose first where a step asks the college or the department of a course that has none. */
function hostMissing(
  checkerType: string,
  { collegeId, departmentId }: Pick<SubjectFacts, 'collegeId' | 'departmentId'>,
  { liCollegeId, liDepartmentId }: { liCollegeId?: string | undefined; liDepartmentId?: string | undefined },
): string | undefined {
  if (checkerType === flowCheckerType.startersCollege && collegeId === null)
    return liDepartmentId ? '请先选择主办学院' : '请先选择主办学院或部门'
  if (checkerType === flowCheckerType.startersDepartmentHead && departmentId === null)
    return liCollegeId ? '请先选择主办部门' : '请先选择主办学院或部门'
  return undefined
}

/** Who would approve a course like this, for the form; nothing is written. */
export async function previewFlow(ctx: Context, input: Checked<typeof lessonApi.flowPreview>) {
  const { wanted, facts, rule, llFactor } = await subjectOfForm(ctx, input)
  const worth = rule && {
    hours: fromHundredths(rule.baseHours),
    credit: fromHundredths(rule.credit),
    points: fromHundredths(pointsOf(rule, llFactor)),
  }
  // whom these steps mean is known once the form names its people
  const stillOpen = ({ wfsCheckerType }: { wfsCheckerType: string }) =>
    openTypes.has(wfsCheckerType)
      ? fateWords('open', { minCredit: null })
      : ofPrincipal.has(wfsCheckerType) && !input.liPrincipalId
        ? '选择负责人后显示'
        : hostMissing(wfsCheckerType, facts, input)
  return { ...(await previewApproval(ctx, wanted, facts, ['PUBLISH', 'RESULT'], stillOpen)), worth }
}

/**
 * At which steps of its flow a person would decide a course like this, and how many hours (in hundredths) its rule
 * gives; nothing of either while module and level do not go together yet.
 */
export async function ownStepsOf(ctx: Context, input: Checked<typeof lessonApi.flowPreview>, suId: string) {
  const found = await subjectOfForm(ctx, input).catch((err: unknown) => {
    if (err instanceof Failure) return undefined
    throw err
  })
  if (!found) return { ownSteps: [], normHours: null }
  const planned = await plannedSteps(ctx, found.wanted, found.facts, ['PUBLISH', 'RESULT'])
  const own = (planned?.nodes ?? []).flatMap(({ steps }) =>
    steps.filter(({ people }) => people.some((one) => one.suId === suId)),
  )
  return { ownSteps: [...new Set(own.map(({ stepName }) => stepName))], normHours: found.rule?.baseHours ?? null }
}
