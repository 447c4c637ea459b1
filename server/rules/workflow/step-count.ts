import { flowStepType, flowType, lessonLevel } from '../../../contract/core/codes/rules.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'

/** A stage of a flow in which fewer people decide, one after another, than the school's rules ask for. */
interface ShortStage {
  wfsNodeName: string
  /** Of which matters: `school` courses of school level and above, `college` those below, `sup` supplements. */
  of: 'school' | 'college' | 'sup'
  steps: number
  demanded: number
}

type Demands = Pick<SchoolSettings, 'approvalLevels' | 'approvalLevelsSchool' | 'approvalLevelsSup'>

/** Steps that only tell people, or that pass by themselves. */
const undecided: string[] = [flowStepType.copy, flowStepType.autoPass]

/**
 * Where a flow asks fewer levels than the school's rules say (docs/rules.md R35: two below school level, one from there
 * on, three for supplements). A hint: whether one look is enough is for the school to say. Pure.
 * @param levels of the flow; none: all
 * @param order all levels of the school from the highest down
 */
export function shortStages(
  { wfType, levels }: { wfType: string; levels: readonly string[] },
  steps: readonly { wfsNodeName: string; wfsStepType: string }[],
  demands: Demands,
  order: readonly { id: string }[],
): ShortStage[] {
  const decided = (node: string) =>
    steps.filter(({ wfsNodeName, wfsStepType }) => wfsNodeName === node && !undecided.includes(wfsStepType)).length
  const short = (wfsNodeName: string, of: ShortStage['of'], demanded: number): ShortStage[] =>
    decided(wfsNodeName) < demanded ? [{ wfsNodeName, of, steps: decided(wfsNodeName), demanded }] : []
  if (wfType === flowType.supplement) return short('SUPPLEMENT', 'sup', demands.approvalLevelsSup)
  const school = order.findIndex(({ id }) => id === lessonLevel.school)
  const isHigh = (level: string) => order.findIndex(({ id }) => id === level) <= school
  return [
    ...(levels.length === 0 || levels.some(isHigh) ? short('PUBLISH', 'school', demands.approvalLevelsSchool) : []),
    ...(levels.length === 0 || levels.some((level) => !isHigh(level))
      ? short('PUBLISH', 'college', demands.approvalLevels)
      : []),
  ]
}
