import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { Failure, type FailureHelp } from '../../../contract/core/failure.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { resolveCheckers, type CheckerRule, type SubjectFacts } from './checkers.service.ts'
import { mayAct } from '../../school/people/may-act.ts'

/** A step that nobody can decide, and the flow it stands in. */
interface VacantStep extends CheckerRule {
  stepName: string
  noApproverPolicy: string
  wfId: string
}

/** An office without anybody in it: its name, and what fills it, where, by whom. */
interface Vacancy {
  /** `数科2301班的团支书` */
  office: string
  /** What fills it, `任命该班团支书`; also what the link says. */
  remedy: string
  /** The screen where that is done, and the rights it takes. */
  link: string
  permits: string[]
  kind: 'class' | 'role' | 'department' | 'step'
  id: string | null
}

/** What to do about what stops a matter: the way there for whoever may do it, else whom to ask (docs/rules.md R36). */
interface Advice {
  advice: string
  help?: FailureHelp
}

async function adviceOn(
  ctx: Context,
  { remedy, label = `去${remedy}`, link, permits }: Pick<Vacancy, 'remedy' | 'link' | 'permits'> & { label?: string },
): Promise<Advice> {
  return permits.every((permit) => ctx.actor.permits.has(permit))
    ? { advice: `请先${remedy}`, help: { label, link } }
    : { advice: `请联系${await adminNames(ctx)}${remedy}` }
}

/** Which office of a step is empty and why, and what to do about it. */
async function vacancyWords(ctx: Context, step: VacantStep, facts: SubjectFacts) {
  const vacancy = await vacancyOf(ctx, step, facts)
  const isOwn = (await resolveCheckers(ctx, step, facts)).some(({ suId }) => suId === ctx.actor.suId)
  const why = isOwn ? '只有您本人，本人的事项须由他人审批' : '目前空缺'
  const admins = step.noApproverPolicy === 'admin' ? '，也没有其他校级管理员可以代为审批' : ''
  return { vacancy, why: `${vacancy.office}${why}${admins}`, ...(await adviceOn(ctx, vacancy)) }
}

/** The refusal of a matter with a step that nobody can decide: which step, which office is empty, and what to do. */
export async function noChecker(ctx: Context, step: VacantStep, facts: SubjectFacts): Promise<Failure> {
  const { vacancy, why, advice, help } = await vacancyWords(ctx, step, facts)
  const { kind, id, office } = vacancy
  return new Failure(
    'workflow-no-checker',
    { step: step.stepName, why, advice },
    {
      details: { stepName: step.stepName, wfsCheckerType: step.wfsCheckerType, wfId: step.wfId, kind, id, office },
      ...(help && { help }),
    },
  )
}

/** The same ahead of a submission, for the form that previews it. */
export async function vacancyAhead(ctx: Context, step: VacantStep, facts: SubjectFacts) {
  const { why, advice, help } = await vacancyWords(ctx, step, facts)
  return { text: `${why}。${advice}`, ...(help && { help }) }
}

const flowWanted = {
  remedy: '在“流程管理”中配置适用的流程',
  label: '去流程管理',
  link: '/basicConfig/ProcessManagement',
  permits: ['workflow:list', 'workflow:edit'],
}

/** The refusal of a matter that no flow applies to, with what to do. */
export async function noFlow(ctx: Context): Promise<Failure> {
  const { advice, help } = await adviceOn(ctx, flowWanted)
  return new Failure('workflow-missing', { advice }, help && { help })
}

/** The same ahead of a submission. */
export async function noFlowAhead(ctx: Context) {
  const { advice, help } = await adviceOn(ctx, flowWanted)
  return { text: advice, ...(help && { help }) }
}

/** Which office a step finds empty. */
async function vacancyOf(ctx: Context, step: VacantStep, facts: SubjectFacts): Promise<Vacancy> {
  const { collegeId, classId, departmentId, lsPath } = facts
  switch (step.wfsCheckerType) {
    case flowCheckerType.classSecretary:
      return classId === null ? ofFlow(ctx, step, '团支书（该事项不属于任何班级）') : ofClass(ctx, classId)
    case flowCheckerType.counsellor:
      return classId === null
        ? ofFlow(ctx, step, '辅导员（该事项不属于任何班级）')
        : ofRole(ctx, step, await roleIds(ctx, 'COUNSELOR'), `${await className(ctx, classId)}的`)
    case flowCheckerType.startersCollege:
      return collegeId === null
        ? ofFlow(ctx, step, '发起人所在学院团委（该事项未指定学院）')
        : ofRole(ctx, step, await roleIds(ctx, 'COLLEGE_LEAGUE'), `${await collegeName(ctx, collegeId)}的`)
    case flowCheckerType.role:
      return ofRole(ctx, step, step.checkers)
    case flowCheckerType.moduleOwner:
      return ofRole(ctx, step, [...(await ownerRoles(ctx, lsPath)), ...(await roleIds(ctx, 'MODULE_OWNER'))])
    case flowCheckerType.department:
      return step.checkers[0]
        ? ofDepartment(ctx, step.checkers[0], '的成员', '添加该部门成员')
        : ofFlow(ctx, step, '部门')
    case flowCheckerType.startersDepartmentHead:
      return departmentId === null
        ? ofFlow(ctx, step, '发起人所在部门负责人（该事项未指定部门）')
        : ofDepartment(ctx, departmentId, '的负责人', '设置该部门负责人')
    case flowCheckerType.principal:
      return ofFlow(ctx, step, '课程负责人')
    case flowCheckerType.teacher:
      return ofFlow(ctx, step, '指导老师')
    case flowCheckerType.circleTeacher:
      return ofFlow(ctx, step, '圈子指导老师')
    default:
      return ofFlow(ctx, step, '指定的审批人')
  }
}

async function ofClass(ctx: Context, scClassId: string): Promise<Vacancy> {
  const name = await className(ctx, scClassId)
  return {
    office: `${name}的团支书`,
    remedy: '任命该班团支书',
    link: `/personnelAdmin/classAdmin?scClassName=${encodeURIComponent(name)}`,
    permits: ['class:list', 'role:grant'],
    kind: 'class',
    id: scClassId,
  }
}

async function ofRole(ctx: Context, step: VacantStep, srIds: string[], whose = ''): Promise<Vacancy> {
  const [srId] = srIds
  const role = srId && (await from(ctx, 'role').select('srName').where('srId', '=', srId).executeTakeFirst())
  if (!role) return ofFlow(ctx, step, '指定的角色')
  return {
    office: `${whose}“${role.srName}”`,
    remedy: `为“${role.srName}”添加成员`,
    link: `/personnelAdmin/memberAdmin?srId=${srId}`,
    permits: ['role:list', 'role:grant'],
    kind: 'role',
    id: srId!,
  }
}

async function ofDepartment(ctx: Context, sdId: string, who: string, remedy: string): Promise<Vacancy> {
  const row = await from(ctx, 'department').select('sdName').where('sdId', '=', sdId).executeTakeFirst()
  return {
    office: `“${row?.sdName ?? '已删除的部门'}”${who}`,
    remedy,
    link: `/personnelAdmin/departmentForm?sdId=${sdId}`,
    permits: ['department:list', 'department:edit'],
    kind: 'department',
    id: sdId,
  }
}

/**
 * What nobody can be appointed to, because the matter lacks the place or the person is written into the flow: another
 * administrator steps in where the step says so, else the flow has to change.
 */
async function ofFlow(ctx: Context, step: VacantStep, office: string): Promise<Vacancy> {
  if (step.noApproverPolicy === 'admin') {
    const [srId] = await roleIds(ctx, 'SCHOOL_ADMIN')
    return {
      office,
      remedy: '再任命一名校级管理员',
      link: `/personnelAdmin/memberAdmin?srId=${srId}`,
      permits: ['role:list', 'role:grant'],
      kind: 'role',
      id: srId ?? null,
    }
  }
  return {
    office,
    remedy: '调整该步骤的审批人',
    link: `/basicConfig/ProcessManagement/editProcessManagement?wfId=${step.wfId}`,
    permits: ['workflow:edit'],
    kind: 'step',
    id: null,
  }
}

const roleIds = async (ctx: Context, srCode: string): Promise<string[]> =>
  (await from(ctx, 'role').select('srId').where('srCode', '=', srCode).execute()).map(({ srId }) => srId)

const ownerRoles = async (ctx: Context, lsPath: string[]): Promise<string[]> =>
  lsPath.length === 0
    ? []
    : (await from(ctx, 'curriculum').select('ownerRoleId').where('lsId', 'in', lsPath).execute()).flatMap(
        ({ ownerRoleId }) => ownerRoleId ?? [],
      )

const className = async (ctx: Context, scClassId: string): Promise<string> =>
  (await from(ctx, 'schoolClass').select('scClassName').where('scClassId', '=', scClassId).executeTakeFirst())
    ?.scClassName ?? '该班级'

const collegeName = async (ctx: Context, scId: string): Promise<string> =>
  (await from(ctx, 'college').select('scName').where('scId', '=', scId).executeTakeFirst())?.scName ?? '该学院'

/** Whom to ask: up to three administrators of the school by name, without whoever asks. */
async function adminNames(ctx: Context): Promise<string> {
  const rows = await from(ctx, 'role')
    .innerJoin('roleUser', withinSchool('roleUser.srId', 'role.srId'))
    .innerJoin('person', withinSchool('person.suId', 'roleUser.suId'))
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .where('role.srCode', '=', 'SCHOOL_ADMIN')
    .where('person.delFlag', '=', sql.lit(yesNo.no))
    .where(mayAct('person', 'account'))
    .where('person.suId', '<>', ctx.actor.suId)
    .select('person.suiName')
    .orderBy('person.suiNumber')
    .limit(3)
    .execute()
  return rows.length === 0 ? '校级管理员' : `校级管理员（${rows.map(({ suiName }) => suiName).join('、')}）`
}
