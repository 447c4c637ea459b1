import type { Checked, Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { withTree } from './curriculum-write.service.ts'
import { visibleCurricula } from './curriculum.queries.ts'
import { treeTemplates, type ModuleSeed } from './tree-templates.ts'

/** The ready-made trees, with a mark on modules whose name the school already uses. */
export async function curriculumTemplates(ctx: Context): Promise<Output<typeof curriculumApi.templates>> {
  const own = await visibleCurricula(ctx).select('lsName').where('lsPid', 'is', null).execute()
  const taken = new Set(own.map(({ lsName }) => lsName))
  return treeTemplates.map(({ modules, ...template }) => ({
    ...template,
    modules: modules.map(([lsCode, lsName, children, minHours, required, lsIcon, lsColor]) => ({
      lsCode,
      lsName,
      lsIcon,
      lsColor,
      required: required ? yesNo.yes : yesNo.no,
      minHours: fromHundredths(minHours),
      children: [...children],
      exists: taken.has(lsName),
    })),
  }))
}

/**
 * Adds the chosen modules of a template behind the school's own, with all below them; those whose name the school
 * already has are left out.
 */
export const addTemplate = (ctx: Context, { templateId, codes }: Checked<typeof curriculumApi.addTemplate>) =>
  withTree(ctx, async (tx, rows) => {
    const template = treeTemplates.find((one) => one.templateId === templateId)
    // new modules are for those who may change the whole tree
    if (!template || !tx.scope.whole || codes.some((code) => !template.modules.some(([known]) => known === code)))
      throw new Failure('not-found')
    const modules = rows.filter(({ lsPid }) => lsPid === null)
    const wanted = template.modules.filter(
      ([code, name]) => codes.includes(code) && !modules.some(({ lsName }) => lsName === name),
    )
    if (wanted.length === 0) throw new Failure('curriculum-template-taken')
    const first = Math.max(-1, ...modules.map(({ lsSort }) => lsSort)) + 1
    const nodes = moduleRows(wanted, first)
    await tx.db
      .insertInto('curriculum')
      .values(nodes.map((node) => ({ ...createdColumns(tx), ...node })))
      .execute()
    await auditMany(
      tx,
      nodes.map(({ lsId, lsName }) => ({
        action: '从模板添加课程体系',
        bizType: 'curriculum',
        bizId: lsId,
        bizName: lsName,
        after: { template: template.templateName },
      })),
    )
    return { affected: nodes.length }
  })

/** Modules and what lies below them as rows, parents first; children are numbered below the code of their module. */
export function moduleRows(modules: readonly ModuleSeed[], firstSort = 0) {
  return modules.flatMap(([lsCode, lsName, children, minHours, required, lsIcon, lsColor], at) => {
    const lsId = newId()
    const shared = { required: required ? yesNo.yes : yesNo.no, lsColor }
    const below = children.map((name, sort) => {
      const childId = newId()
      return {
        ...shared,
        lsId: childId,
        lsPid: lsId as string | null,
        lsPath: [lsId, childId],
        lsName: name,
        lsCode: `${lsCode}${String(sort + 1).padStart(2, '0')}`,
        lsSort: sort,
        minHours: 0,
        lsIcon: '',
      }
    })
    return [
      {
        ...shared,
        lsId,
        lsPid: null as string | null,
        lsPath: [lsId],
        lsName,
        lsCode,
        lsSort: firstSort + at,
        minHours,
        lsIcon,
      },
      ...below,
    ]
  })
}
