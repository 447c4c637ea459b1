import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { starUnit } from '../../core/codes/rules.ts'
import { amount, pick } from '../../core/fields.ts'

/** The most a step may ask for, in hours or in per cent. */
const maxAmount = 10_000

/**
 * What the first to the fifth star of a module ask for: a share of the hours that graduation requires (`unit` 1, in per
 * cent) or hours (`unit` 2). Steps are whole hundredths once checked. A module without a rule of its own has the usual
 * steps.
 */
export const starRule = z
  .strictObject({
    unit: pick('星级依据', codesOf(starUnit)),
    steps: z.array(amount('星级标准', maxAmount)).length(5, '请填写一星至五星的标准').meta({ label: '星级标准' }),
  })
  .check((ctx) => {
    const { steps } = ctx.value
    steps.forEach((step, at) => {
      if (at > 0 && step <= steps[at - 1]!)
        ctx.issues.push({
          code: 'custom',
          input: step,
          path: ['steps', at],
          message: `${starNames[at]}的标准须高于${starNames[at - 1]}`,
        })
    })
  })
export type StarRule = z.output<typeof starRule>

export const starNames = ['一星', '二星', '三星', '四星', '五星'] as const
