import type { Permit } from '../../contract/core/call.ts'
import type { RecordVisibility } from '../school/audit/timeline.service.ts'
import { visibleTemplates } from '../rules/awards/awards.queries.ts'
import { visibleClasses as visibleCircleClasses } from '../programme/circles/categories.service.ts'
import { visibleCircles } from '../programme/circles/circles.service.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { visibleCurricula } from '../rules/curriculum/curriculum.queries.ts'
import { visibleEvaluations } from '../rules/evaluation/evaluation.queries.ts'
import { visibleBatches } from '../outcomes/graduation/graduation.queries.ts'
import type { Importers } from '../platform/imports/importer.ts'
import { visibleLabels } from '../rules/labels/labels.queries.ts'
import { visibleLessons } from '../programme/lessons/model/lessons.queries.ts'
import { visibleNews } from '../platform/news/news.queries.ts'
import { visibleTypes } from '../platform/news/types.service.ts'
import { visibleKeys } from '../school/integration/keys.service.ts'
import { visibleChannels } from '../school/channels/channels.service.ts'
import { visibleWebhooks } from '../school/integration/webhooks.service.ts'
import { visibleClasses } from '../school/organisation/classes.queries.ts'
import { visibleColleges } from '../school/organisation/colleges.queries.ts'
import { ownDepartments } from '../school/organisation/departments.queries.ts'
import { visibleMajors } from '../school/organisation/majors.queries.ts'
import { visibleSupplements } from '../programme/supplements/supplements.queries.ts'
import { visibleStudents } from '../school/people/students.service.ts'
import { visibleTeachers } from '../school/people/teachers.service.ts'
import { visibleSources } from '../school/sources/sources.queries.ts'
import { visibleDisputes } from '../programme/disputes/disputes.queries.ts'
import { visibleRoles } from '../school/roles/roles.queries.ts'
import { visibleCategories, visibleFlows } from '../rules/workflow/workflow.queries.ts'

type Finds = (ctx: Context, bizId: string) => Promise<object | undefined>

/** Sees a record who holds the right and finds it in what that right covers for them. */
const under = (permit: Permit, finds: Finds) => async (ctx: Context, bizId: string) =>
  ctx.actor.permits.has(permit) && (await finds({ ...ctx, scope: ctx.actor.scopeFor(permit) }, bizId)) !== undefined

/**
 * Who may see which kind of record, for its timeline: the same sight as on the record's own screen. A new kind of
 * record gets its line here.
 */
export const recordVisibility = (importers: Importers): RecordVisibility => ({
  school: (ctx) => Promise.resolve(ctx.actor.permits.has('school:list')),
  lesson: under('lesson:list', (ctx, id) =>
    visibleLessons(ctx).select('lesson.liId').where('lesson.liId', '=', id).executeTakeFirst(),
  ),
  supplement: under('sup:list', (ctx, id) =>
    visibleSupplements(ctx).select('supplement.lisId').where('supplement.lisId', '=', id).executeTakeFirst(),
  ),
  importSource: under('source:list', (ctx, id) =>
    visibleSources(ctx).select('isId').where('isId', '=', id).executeTakeFirst(),
  ),
  person: async (ctx, bizId) => (await student(ctx, bizId)) || teacher(ctx, bizId),
  college: under('college:list', (ctx, id) =>
    visibleColleges(ctx).select('scId').where('scId', '=', id).executeTakeFirst(),
  ),
  major: under('major:list', (ctx, id) => visibleMajors(ctx).select('smId').where('smId', '=', id).executeTakeFirst()),
  schoolClass: under('class:list', (ctx, id) =>
    visibleClasses(ctx).select('scClassId').where('scClassId', '=', id).executeTakeFirst(),
  ),
  // the department itself is known to all; who came and went is known to those in whose area it lies
  department: under('department:list', (ctx, id) =>
    ownDepartments(ctx).select('sdId').where('sdId', '=', id).executeTakeFirst(),
  ),
  // a role's trail names members of all colleges
  role: under('role:list', (ctx, id) =>
    ctx.scope.whole
      ? visibleRoles(ctx).select('srId').where('srId', '=', id).executeTakeFirst()
      : Promise.resolve(undefined),
  ),
  curriculum: under('curriculum:list', (ctx, id) =>
    visibleCurricula(ctx).select('lsId').where('lsId', '=', id).executeTakeFirst(),
  ),
  evaluation: under('evaluation:list', (ctx, id) =>
    visibleEvaluations(ctx).select('e.esId').where('e.esId', '=', id).executeTakeFirst(),
  ),
  qualityLabel: under('label:list', (ctx, id) =>
    visibleLabels(ctx).select('sqlId').where('sqlId', '=', id).executeTakeFirst(),
  ),
  awardTemplate: under('award:list', (ctx, id) =>
    visibleTemplates(ctx).select('atId').where('atId', '=', id).executeTakeFirst(),
  ),
  serviceKey: under('integration:manage', (ctx, id) =>
    visibleKeys(ctx).select('serviceKey.keyId').where('serviceKey.keyId', '=', id).executeTakeFirst(),
  ),
  messageChannel: under('integration:manage', (ctx, id) =>
    visibleChannels(ctx).select('odId').where('odId', '=', id).executeTakeFirst(),
  ),
  webhook: under('integration:manage', (ctx, id) =>
    visibleWebhooks(ctx).select('odId').where('odId', '=', id).executeTakeFirst(),
  ),
  circle: under('circle:list', (ctx, id) =>
    visibleCircles(ctx).select('circle.ciId').where('circle.ciId', '=', id).executeTakeFirst(),
  ),
  circleClass: under('circle:list', (ctx, id) =>
    visibleCircleClasses(ctx).select('ccId').where('ccId', '=', id).executeTakeFirst(),
  ),
  news: under('news:list', (ctx, id) =>
    visibleNews(ctx).select('news.niId').where('news.niId', '=', id).executeTakeFirst(),
  ),
  newsType: under('news:list', (ctx, id) => visibleTypes(ctx).select('ntId').where('ntId', '=', id).executeTakeFirst()),
  workflow: under('workflow:list', (ctx, id) =>
    visibleFlows(ctx).select('w.wfId').where('w.wfId', '=', id).executeTakeFirst(),
  ),
  workflowCategory: under('workflow:list', (ctx, id) =>
    visibleCategories(ctx).select('k.wfcId').where('k.wfcId', '=', id).executeTakeFirst(),
  ),
  question: under('question:list', (ctx, id) =>
    visibleDisputes(ctx).select('q.qId').where('q.qId', '=', id).executeTakeFirst(),
  ),
  graduation: under('student:graduate', (ctx, id) =>
    visibleBatches(ctx).select('gbId').where('gbId', '=', id).executeTakeFirst(),
  ),
  import: async (ctx, bizId) => {
    const batch = await from(ctx, 'importBatch')
      .select(['ibKind', 'createBy'])
      .where('ibId', '=', bizId)
      .executeTakeFirst()
    const permit = batch && importers[batch.ibKind as keyof Importers]?.permit
    return (
      permit !== undefined &&
      ctx.actor.permits.has(permit) &&
      (batch?.createBy === ctx.actor.suId || ctx.actor.scopeFor(permit).whole)
    )
  },
})

const student = under('student:list', (ctx, id) =>
  visibleStudents(ctx).select('person.suId').where('person.suId', '=', id).executeTakeFirst(),
)
const teacher = under('teacher:list', (ctx, id) =>
  visibleTeachers(ctx).select('person.suId').where('person.suId', '=', id).executeTakeFirst(),
)
