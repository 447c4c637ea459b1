import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { starRuleText } from '../../../contract/outcomes/transcripts/stars.ts'
import type { CurriculumNode, curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import { amount, code, codes, count, range, text } from '../../core/export/columns.ts'
import { exportList } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { curriculumTree, lessonLevels } from './curriculum.service.ts'

/** When a node takes supplements; what follows the node above says so. */
const supplementText = ({ lsType, allowSup, supWindow, lsPid }: CurriculumNode): string =>
  lsType === curriculumType.lessons || allowSup !== yesNo.yes
    ? '不允许'
    : supWindow === null && lsPid !== null
      ? '同上级'
      : supWindow === null
        ? '按学校补录月份'
        : windowText(supWindow)

const columns = [
  text('编码', 'lsCode', 14),
  text('体系名称', 'fullName', 40),
  code('适用范围', 'curriculum_type', 'lsType', 14),
  code('必修', 'yes_no', 'required', 8),
  amount('毕业最低学时', 'minHours'),
  amount('累计学时上限', 'maxHours'),
  amount('每学期学时上限', 'termCap'),
  range('允许的级别', 'levels', 26),
  text('模块负责人角色', 'ownerRoleName', 18),
  text('补录开放时间', supplementText, 24),
  codes('补录须提交的证明', 'sup_proof', 'supProofs', 24),
  text('星级标准', ({ starRule }: CurriculumNode) => starRuleText(starRule), 40),
  count('课程数', 'lessonCount'),
  code('状态', 'enable_status', 'enable', 10),
]

/**
 * The nodes of the tree as a workbook, parents before children, each with its whole name; with a word, those that have
 * it in name or code, and what lies below them.
 */
export function exportCurricula(ctx: Context, input: Checked<typeof curriculumApi.exportList>): Promise<FileAnswer> {
  async function* rows() {
    const [tree, levels] = await Promise.all([curriculumTree(ctx, { ...input, withCounts: true }), lessonLevels(ctx)])
    const nameOf = (level: string) => levels.find(({ llId }) => llId === level)?.llName ?? level
    const flat = (nodes: readonly CurriculumNode[], above: string): (CurriculumNode & { fullName: string })[] =>
      nodes.flatMap((node) => [
        { ...node, fullName: above + node.lsName },
        ...flat(node.children, `${above}${node.lsName} / `),
      ])
    const word = input.lsName?.toLowerCase() ?? ''
    yield flat(tree, '')
      .filter(({ fullName, lsCode }) => `${fullName} ${lsCode}`.toLowerCase().includes(word))
      .map((node) => ({ ...node, levels: node.allowLevels.map(nameOf) }))
  }
  return exportList(ctx, { title: '课程体系', columns, rows: rows(), filter: input })
}
