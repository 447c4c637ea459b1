import type { Output } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { amount, code, count, day, text, texts } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listEvaluations } from './evaluation.service.ts'
import { amountText } from '../../../contract/core/figure.ts'

type Row = Output<typeof evaluationApi.all>['records'][number]

const modes = ({ modeRules }: Row) =>
  modeRules.map(({ partakeMode, factor }) => `${labelOf('partake_mode', partakeMode)} ${factor}`)
const awards = ({ awardRules }: Row) =>
  awardRules
    .map(
      ({ adName, hours, credit, points }) =>
        `${adName}：学时 ${amountText(hours)}，学分 ${credit}，积分 ${amountText(points)}`,
    )
    .join('；')
const abilities = ({ abilityRules }: Row) => abilityRules.map(({ sqlName, weight }) => `${sqlName} ${weight}%`)

/** The scoring rules of the list as a workbook. */
export const exportEvaluations = pagedExport(
  '评价体系',
  [
    text('课程体系', 'lsFullName', 30),
    text('级别', 'levelName', 12),
    text('规则名称', 'esName', 24),
    amount('学时', 'baseHours'),
    amount('学时上限', 'hourCap'),
    amount('学分', 'credit'),
    amount('积分', 'points'),
    texts('参与方式系数', modes, 36),
    text('奖项加计', awards, 50),
    texts('能力权重', abilities, 40),
    day('生效日期', 'effectFrom'),
    day('失效日期', 'effectTo'),
    count('版本', 'versionNo'),
    count('采用课程', 'lessonCount'),
    code('状态', 'enable_status', 'enable', 10),
  ],
  listEvaluations,
)
