import { sql } from 'kysely'
import type { Context } from '../core/context.ts'

/** A step as it is configured: who decides it and how. */
export interface StepRule {
  stepSort: number
  stepName: string
  stepType: string
  wfsCheckerType: string
  checkers: string[]
  noApproverPolicy: string
  timeoutHours: number | null
}

/** The enabled flows of a type, with their ranges. A school has tens of them, not thousands. */
export const flowsFor = ({ db, actor }: Context, wfType: string) =>
  db
    .selectFrom('workflow')
    .select(['wfId', 'wfName', 'wfType', 'wfStatus', 'wfVersion', 'isDefault', 'roleIds', 'lsIds', 'levels'])
    .where('schoolId', '=', actor.schoolId)
    .where('wfType', '=', wfType)
    .where('wfStatus', '=', '1')
    .execute()

/** The steps of one node of a flow in their order, each with its chosen checkers. */
export async function stepsOf({ db, actor }: Context, wfId: string, nodeName: string): Promise<StepRule[]> {
  return db
    .selectFrom('workflowStep as s')
    .select(['s.wfsSort as stepSort', 's.wfsStepName as stepName', 's.wfsStepType as stepType', 's.wfsCheckerType', 's.noApproverPolicy', 's.timeoutHours'])
    .select(sql<string[]>`coalesce((select array_agg(c."wfcCheckerId"::text order by c."wfcSort") from "workflowChecker" c where c."schoolId" = s."schoolId" and c."wfsId" = s."wfsId"), '{}')`.as('checkers'))
    .where('s.schoolId', '=', actor.schoolId)
    .where('s.wfId', '=', wfId)
    .where('s.wfsNodeName', '=', nodeName)
    .orderBy('s.wfsSort')
    .execute()
}
