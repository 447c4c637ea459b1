import { curriculumType, flowType } from '../../../contract/core/codes/rules.ts'
import type { Context } from '../../core/request/context.ts'
import type { RangeWords } from './validate.ts'
import { rangeChoices } from './workflow.queries.ts'

/**
 * Words for ranges of any kind (`all`), and for what may be asked of a type (`mayStart`): roles that may start a
 * course, nodes that serve the type. Supplements are open to everybody, so no role is told apart.
 */
export async function wordsFor(ctx: Context, wfType: string): Promise<{ all: RangeWords; mayStart: RangeWords }> {
  const { roles, classes, levels } = await rangeChoices(ctx)
  const serving = classes.filter(({ lsType }) => lsType === curriculumType.both || lsType === wfType)
  return {
    all: { roles, classes, levels },
    mayStart: {
      roles: wfType === flowType.lesson ? roles.filter(({ starts }) => starts) : [],
      classes: serving,
      levels,
    },
  }
}
