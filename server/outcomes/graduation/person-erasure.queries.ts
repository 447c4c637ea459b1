import { sql } from 'kysely'
import type { Output } from '../../../contract/core/call.ts'
import { personType, studentStatus, teacherStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { visiblePeople } from '../../school/people/people.service.ts'
import { whoOutranks } from '../../school/people/rank-check.service.ts'
import { circleRuns, lessonRuns, runningCases } from './running-cases.ts'

type Preview = Output<typeof personErasureApi.preview>

/** Of somebody in the area of whoever asks, what an erasure looks at; `not-found` otherwise. */
export async function personToErase(ctx: Pick<Context, 'db' | 'actor' | 'scope'>, suId: string) {
  const person = await visiblePeople(ctx)
    .select(['suId', 'suiType', 'suiStatus', 'suiName', 'suiNumber', 'identityErased', 'holdReason'])
    .select(['suiPhone', 'suiEmail', 'suiIdCard', 'suiPhoto', 'suiAddress', 'suiDorm', 'provinceId', 'birth'])
    .select(['suiNation', 'leagueJoinDate', 'partyJoinDate', 'volunteerNo', 'post', 'specialty', 'remark'])
    .where('suId', '=', suId)
    .executeTakeFirst()
  if (!person) throw new Failure('not-found')
  return person
}
type Person = Awaited<ReturnType<typeof personToErase>>

/** Whether somebody is no longer at the school for good: a student with a leave of absence comes back. */
const hasLeft = ({ suiType, suiStatus }: Person): boolean =>
  suiType === personType.student
    ? suiStatus === studentStatus.graduated || suiStatus === studentStatus.withdrawn
    : suiStatus === teacherStatus.left || suiStatus === teacherStatus.retired

/** What staff may still have in their hands: what it is called, and the rows of it. */
const duties = (schoolId: string, now: string) =>
  [
    [
      '任职的未结束课程',
      sql`
        from "lessonPerson" x
        join "lesson" l on l."schoolId" = x."schoolId" and l."liId" = x."liId"
        where x."schoolId" = ${schoolId} and x."suId" = p."suId" and ${lessonRuns('l')}`,
    ],
    [
      '担任辅导员或班主任的班级',
      sql`
        from "schoolClass" x
        where x."schoolId" = ${schoolId} and p."suId" in (x."counselorId", x."headTeacherId")`,
    ],
    [
      '负责的部门',
      sql`
        from "department" x
        where x."schoolId" = ${schoolId} and x."sdLeaderId" = p."suId"`,
    ],
    [
      '指导的圈子',
      sql`
        from "circleTeacher" x
        join "circle" c on c."schoolId" = x."schoolId" and c."ciId" = x."ciId"
        where x."schoolId" = ${schoolId} and x."suId" = p."suId" and ${circleRuns('c')}`,
    ],
    [
      '指定其审批的流程步骤',
      sql`
        from "workflowChecker" x
        where x."schoolId" = ${schoolId} and x."wfcCheckerId" = p."suId"`,
    ],
    [
      '未到期的审批委托',
      sql`
        from "approvalDelegation" x
        where x."schoolId" = ${schoolId} and p."suId" in (x."suId", x."agentId") and x."endTime" >= ${now}::timestamptz`,
    ],
  ] as const

/** Why somebody's data cannot be erased now, each a sentence; empty where nothing stands against it. */
export async function obstaclesOf(ctx: Context, person: Person): Promise<string[]> {
  if (person.identityErased) return ['个人信息已经删除']
  const { schoolId } = ctx.actor
  const cases = [...runningCases(schoolId), ...duties(schoolId, ctx.clock.now())]
  const { rows } = await sql<{ counts: number[]; isAdmin: boolean }>`
    select array[${sql.join(cases.map(([, of]) => sql`(select count(*)::int ${of})`))}] "counts",
      exists (
        select from "roleUser" u
        join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
        where u."schoolId" = ${schoolId} and u."suId" = p."suId" and r."srCode" = 'SCHOOL_ADMIN'
      ) "isAdmin"
    from "person" p
    where p."schoolId" = ${schoolId} and p."suId" = ${person.suId}::uuid`.execute(ctx.db)
  const { counts, isAdmin } = rows[0]!
  const running = cases.flatMap(([words], at) => (counts[at]! > 0 ? [`${words} ${counts[at]} 项`] : []))
  const isStudent = person.suiType === personType.student
  // of an administrator the role is named, which is what the caller lacks
  const isOutranking = !isAdmin && (await whoOutranks(ctx, [person.suId])) !== undefined
  return [
    ...(person.suId === ctx.actor.suId ? ['不能删除您自己的个人信息，请由其他管理员办理'] : []),
    ...(hasLeft(person) ? [] : [isStudent ? '学籍状态须先改为毕业或退学' : '在职状态须先改为离职或退休']),
    ...(person.holdReason ? [`已设为保留信息（${person.holdReason}），须先在“毕业办理 → 信息保留”中取消`] : []),
    ...(isAdmin ? ['是校级管理员，请先在“成员管理”中移除该角色'] : []),
    ...(isOutranking ? ['拥有您没有的权限，请由权限更高的管理员办理，或先在“成员管理”中移除其角色'] : []),
    ...(running.length > 0 ? [`还有${running.join('、')}，请先办结或移交`] : []),
  ]
}

const factLabels = {
  suiPhone: '手机号',
  suiEmail: '邮箱',
  suiIdCard: '证件号码',
  suiPhoto: '照片',
  suiAddress: '家庭住址',
  suiDorm: '宿舍',
  provinceId: '籍贯',
  birth: '出生日期',
  suiNation: '民族',
  leagueJoinDate: '入团日期',
  partyJoinDate: '入党日期',
  volunteerNo: '志愿者编号',
  post: '职务',
  specialty: '特长',
  remark: '备注',
} as const satisfies Partial<Record<keyof Person, string>>

/** What of somebody an erasure takes away, and what stays under the pseudonym; one statement. */
export async function erasureExtent(
  { db, actor: { schoolId } }: Pick<Context, 'db' | 'actor'>,
  person: Person,
): Promise<Pick<Preview, 'erased' | 'kept'>> {
  const { suId } = person
  const count = (table: string, more = sql`x."suId" = ${suId}::uuid`) =>
    sql`(select count(*)::int from ${sql.table(table)} x where x."schoolId" = ${schoolId} and ${more})`
  const { rows } = await sql<Omit<Preview['erased'], 'facts'> & Preview['kept']>`
    select ${count('session')} + ${count('trustedDevice')} "devices",
      ${count('personIdentity')} "bindings",
      ${count('roleUser')} "roles",
      ${count('supplement', sql`x."suId" = ${suId}::uuid and cardinality(x."lisProofs") > 0`)}
        + ${count('question', sql`x."reporterSuId" = ${suId}::uuid and cardinality(x."qProofs") > 0`)}
        + ${count('circleApply', sql`x."applyBy" = ${suId}::uuid and cardinality(x."materials") > 0`)} "proofs",
      ${count('registration', sql`x."suId" = ${suId}::uuid and x."workTime" is not null`)} "works",
      ${count('registration', sql`x."suId" = ${suId}::uuid and x."applyAnswers" <> '[]'`)} "answers",
      ${count('creditLedger')} "credits",
      ${count('registration', sql`x."suId" = ${suId}::uuid and x."delFlag" = '0'`)} "registrations",
      ${count('supplement', sql`x."suId" = ${suId}::uuid and x."delFlag" = '0'`)} "supplements",
      (
        select count(distinct l."liId")::int
        from "lesson" l
        left join "lessonPerson" x on x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."suId" = ${suId}::uuid
        where l."schoolId" = ${schoolId}
          and l."delFlag" = '0'
          and (l."liPrincipalId" = ${suId}::uuid or x."suId" is not null)
      ) "lessons",
      ${count('approvalTask', sql`x."checkerId" = ${suId}::uuid`)} "approvals",
      ${count('transcriptIssue')} "transcripts"`.execute(db)
  const { devices, bindings, roles, proofs, works, answers, ...kept } = rows[0]!
  const facts = Object.entries(factLabels).flatMap(([column, label]) =>
    person[column as keyof typeof factLabels] ? [label] : [],
  )
  return { erased: { facts, devices, bindings, roles, proofs, works, answers }, kept }
}
