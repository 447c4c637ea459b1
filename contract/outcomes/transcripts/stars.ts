import { starUnit } from '../../core/codes/rules.ts'
import { fromHundredths } from '../../core/fields.ts'
import { starNames, type StarRule } from '../../rules/curriculum/star-rule.ts'
import type { SchoolSettings } from '../../school/school/settings.ts'
import { printName, type PrintLang } from './words.ts'

type Steps = SchoolSettings['starSteps']

/**
 * Stars of a module, 0 to 5. Amounts are whole hundredths of hours. No hours give no star; a module that requires
 * nothing is not rated by shares.
 * @param steps from which share of the required hours (per cent) on a module has how many stars, the least first; below
 *   them it has one
 * @param rule what the stars of the module itself ask for, where the school set that
 */
export function starsOf(have: number, required: number, steps: Steps, rule: StarRule | null = null): number {
  if (have <= 0) return 0
  if (rule?.unit === starUnit.hours) return rule.steps.filter((step) => have >= step).length
  if (required <= 0) return 0
  if (rule) return rule.steps.filter((step) => have * 10_000 >= step * required).length
  return steps.findLast(({ share }) => have * 100 >= share * required)?.stars ?? 1
}

/** The meaning of the stars, as printed below a transcript. */
export const starNote = (steps: Steps): string =>
  `星级按已获学时占要求学时的比例评定：${steps
    .toReversed()
    .map(({ share, stars }) => `${share}% 起为${'零一二三四五'[stars]}星，`)
    .join('')}其余为一星；未获学时或未设要求的模块不评星。`

/** The same in English. */
export const starNoteEnglish = (steps: Steps): string =>
  `Stars rate the share of the required hours: ${steps
    .toReversed()
    .map(({ share, stars }) => `${stars} from ${share}%`)
    .join(', ')}, one below; none without hours or requirement.`

/** What the stars of a module with a rule of its own mean, steps as decimal text; nothing for the others. */
export const starRuleText = (rule: { unit: string; steps: readonly string[] } | null): string =>
  rule
    ? `${rule.steps.map((step, at) => `${starNames[at]} ${step === '0' ? '有学时即可' : step + (rule.unit === starUnit.share ? '%' : ' 学时')}`).join('、')}${rule.unit === starUnit.share ? '（占要求学时）' : ''}`
    : ''

/** The modules whose stars mean something else, as printed below a transcript; nothing where there are none. */
export function ownStarsNote(
  modules: readonly { lsName: string; starRule: StarRule | null }[],
  lang: PrintLang = 'zh',
): string[] {
  const own = modules.flatMap(({ lsName, starRule }) => {
    if (!starRule) return []
    const rule = { unit: starRule.unit, steps: starRule.steps.map(fromHundredths) }
    return [lang === 'en' ? `${printName('en', lsName)}: ${starRuleEnglish(rule)}` : `${lsName} ${starRuleText(rule)}`]
  })
  if (own.length === 0) return []
  return [
    lang === 'en'
      ? `Modules with stars of their own: ${own.join('; ')}.`
      : `以下模块的星级标准另定：${own.join('；')}。`,
  ]
}

const starRuleEnglish = ({ unit, steps }: { unit: string; steps: readonly string[] }): string =>
  `${steps.map((step, at) => `${at + 1} from ${step === '0' ? 'any hours' : step + (unit === starUnit.share ? '%' : ' hours')}`).join(', ')}${unit === starUnit.share ? ' of the required hours' : ''}`
