import { convertMode, convertTo, rounding as roundingCodes } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { printValue, type PrintLang } from '../../../contract/outcomes/transcripts/words.ts'

/**
 * What a conversion rule makes of an amount: pure. Amounts, ratios and results are whole hundredths; nothing is ever a
 * float that is kept. The ways: docs/rules.md R28.
 */

export interface ConversionRule {
  fromType: string
  toType: string
  /**
   * 1 linear: amount x ratio. 2 by segments: each part of the amount by the ratio of its segment. 3 by table: the
   * result of the highest row reached.
   */
  mode: string
  ratio: number | null
  segments: readonly { min: number; value: number }[]
  /** 1 half up, 2 down, 3 up. */
  rounding: string
  /** Decimal places of the result, 0 to 2. */
  decimals: number
  cap: number | null
}

interface Converted {
  value: number
  /** One sentence with the arithmetic. */
  explain: string
}

const wordsIn = {
  zh: {
    reached: (least: string) => `达到 ${least}`,
    below: '未达到起点',
    plus: ' ＋ ',
    cut: (cap: string) => `，超过上限，按 ${cap} 计`,
    all: (from: string, steps: string, to: string) => `${from}：${steps} ＝ ${to}`,
  },
  en: {
    reached: (least: string) => `from ${least}`,
    below: 'below the least',
    plus: ' + ',
    cut: (cap: string) => `, above the limit, counted as ${cap}`,
    all: (from: string, steps: string, to: string) => `${from}: ${steps} = ${to}`,
  },
} as const
type Words = (typeof wordsIn)[PrintLang]

/**
 * Converts an amount of at least nothing; what has been taken back below nothing counts as nothing.
 * @param lang the language of the sentence
 */
export function convert(rule: ConversionRule, amount: number, lang: PrintLang = 'zh'): Converted {
  const from = Math.max(0, amount)
  const words = wordsIn[lang]
  const { exact, steps } = ways[rule.mode as keyof typeof ways](rule, from, words)
  const rounded = roundTo(exact, rule)
  const cap = limitOf(rule)
  const value = cap === null ? rounded : Math.min(rounded, cap)
  const [source, target] = [
    printValue(lang, 'convert_from', rule.fromType),
    printValue(lang, 'convert_to', rule.toType),
  ]
  return {
    value,
    explain: words.all(
      `${fromHundredths(from)} ${source}`,
      steps + (value < rounded ? words.cut(fromHundredths(value)) : ''),
      `${fromHundredths(value)} ${target}`,
    ),
  }
}

/** Stars end at five, a mark at one hundred; a lower cap of the rule comes first. */
function limitOf({ toType, cap }: ConversionRule): number | null {
  const natural = toType === convertTo.stars ? 500 : toType === convertTo.mark ? 10_000 : null
  return natural === null ? cap : Math.min(natural, cap ?? natural)
}

/** `exact` in ten-thousandths, so that nothing is rounded twice. */
type Way = (rule: ConversionRule, from: number, words: Words) => { exact: number; steps: string }

const linear: Way = ({ ratio }, from) => ({ exact: from * (ratio ?? 0), steps: `× ${fromHundredths(ratio ?? 0)}` })

const bySegments: Way = ({ segments }, from, words) => {
  const parts = segments.flatMap(({ min, value }, at) => {
    const within = Math.min(from, segments[at + 1]?.min ?? Infinity) - min
    return within > 0 ? [{ within, value }] : []
  })
  return {
    exact: parts.reduce((sum, { within, value }) => sum + within * value, 0),
    steps:
      parts.map(({ within, value }) => `${fromHundredths(within)} × ${fromHundredths(value)}`).join(words.plus) ||
      words.below,
  }
}

const byTable: Way = ({ segments }, from, words) => {
  const reached = segments.findLast(({ min }) => from >= min)
  return reached
    ? { exact: reached.value * 100, steps: words.reached(fromHundredths(reached.min)) }
    : { exact: 0, steps: words.below }
}

const ways = { [convertMode.linear]: linear, [convertMode.bands]: bySegments, [convertMode.lookup]: byTable }

function roundTo(exact: number, { rounding, decimals }: ConversionRule): number {
  const unit = 10 ** (4 - decimals)
  const whole =
    rounding === roundingCodes.down
      ? Math.floor(exact / unit)
      : rounding === roundingCodes.up
        ? Math.ceil(exact / unit)
        : Math.round(exact / unit)
  return whole * 10 ** (2 - decimals)
}

/** A rule in one sentence, for lists. */
export function ruleText(rule: ConversionRule): string {
  const [source, target] = [labelOf('convert_from', rule.fromType), labelOf('convert_to', rule.toType)]
  const rows = rule.segments
    .map(({ min, value }) =>
      rule.mode === convertMode.lookup
        ? `≥${fromHundredths(min)} 为 ${fromHundredths(value)}`
        : `${fromHundredths(min)} 起 × ${fromHundredths(value)}`,
    )
    .join('，')
  return `${source}${rule.mode === convertMode.linear ? ` × ${fromHundredths(rule.ratio ?? 0)}` : `：${rows}`} → ${target}${rule.cap === null ? '' : `，最高 ${fromHundredths(rule.cap)}`}`
}
