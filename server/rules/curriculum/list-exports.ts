import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { CurriculumNode, curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import { starRuleText } from '../../../contract/outcomes/transcripts/stars.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList } from '../../core/export/exports.ts'
import { curriculumTree, lessonLevels } from './curriculum.service.ts'

const columns: SheetColumn[] = [
  { key: 'lsCode', label: '编码', width: 14 },
  { key: 'fullName', label: '体系名称', width: 40 },
  { key: 'lsType', label: '适用范围', width: 14 },
  { key: 'required', label: '必修', width: 8 },
  { key: 'minHours', label: '毕业最低学时', kind: 'amount' },
  { key: 'maxHours', label: '累计学时上限', kind: 'amount' },
  { key: 'termCap', label: '每学期学时上限', kind: 'amount' },
  { key: 'levels', label: '允许的级别', width: 26 },
  { key: 'ownerRoleName', label: '模块负责人角色', width: 18 },
  { key: 'sup', label: '补录开放时间', width: 24 },
  { key: 'supProofs', label: '补录须提交的证明', width: 24 },
  { key: 'stars', label: '星级标准', width: 40 },
  { key: 'lessonCount', label: '课程数', kind: 'integer' },
  { key: 'enable', label: '状态', width: 10 },
]
const amount = (text: string | null) => (text === null ? null : toHundredths(text))

/**
 * The nodes of the tree as a workbook, parents before children, each with its whole name; with a word, those that have
 * it in name or code, and what lies below them.
 */
export function exportCurricula(ctx: Context, input: Checked<typeof curriculumApi.exportList>): Promise<FileAnswer> {
  async function* rows() {
    const [tree, levels] = await Promise.all([curriculumTree(ctx, { ...input, withCounts: true }), lessonLevels(ctx)])
    const flat = (nodes: readonly CurriculumNode[], above: string): { node: CurriculumNode; fullName: string }[] =>
      nodes.flatMap((node) => [
        { node, fullName: above + node.lsName },
        ...flat(node.children, `${above}${node.lsName} / `),
      ])
    const word = input.lsName?.toLowerCase() ?? ''
    yield flat(tree, '')
      .filter(({ node, fullName }) => `${fullName} ${node.lsCode}`.toLowerCase().includes(word))
      .map(({ node, fullName }) => ({
        lsCode: node.lsCode,
        fullName,
        lsType: labelOf('curriculum_type', node.lsType),
        required: labelOf('yes_no', node.required),
        minHours: amount(node.minHours),
        maxHours: amount(node.maxHours),
        termCap: amount(node.termCap),
        levels:
          node.allowLevels.map((level) => levels.find(({ llId }) => llId === level)?.llName ?? level).join('、') ||
          '全部',
        ownerRoleName: node.ownerRoleName,
        sup: supplementText(node),
        supProofs: node.supProofs.map((proof) => labelOf('sup_proof', proof)).join('、'),
        stars: starRuleText(node.starRule),
        lessonCount: node.lessonCount,
        enable: labelOf('enable_status', node.enable),
      }))
  }
  return exportList(ctx, { title: '课程体系', columns, rows: rows(), filter: input })
}

/** When a node takes supplements; what follows the node above says so. */
const supplementText = ({ lsType, allowSup, supWindow, lsPid }: CurriculumNode): string =>
  lsType === curriculumType.lessons || allowSup !== yesNo.yes
    ? '不允许'
    : supWindow === null && lsPid !== null
      ? '同上级'
      : supWindow === null
        ? '按学校补录月份'
        : windowText(supWindow)
