import { isDeepStrictEqual } from 'node:util'
import { withoutEmpties } from '../../core/request/input.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { categoryRows } from './workflow.queries.ts'
import { flowForEdit, flowToClone } from './workflow.service.ts'

type Flow = Pick<Awaited<ReturnType<typeof flowForEdit>>['flow'], 'ranges' | 'roleIds' | 'lsIds' | 'levels'>

/**
 * Ranges are told in one of two forms (decision 034): the one that is sent counts, and what is stored fills that one.
 */
function formOfFlow(flow: Flow, given: Record<string, unknown>): Record<string, unknown> {
  const { ranges, roleIds, lsIds, levels, ...rest } = flow
  const isByRows = given['ranges'] !== undefined && !isDeepStrictEqual(given['ranges'], withoutEmpties(ranges))
  return isByRows ? rest : { ...rest, roleIds, lsIds, levels }
}

/**
 * Which of its dialogs the specification's form was opened by, and what a start or another flow answers that a new flow
 * does not take.
 */
const facts = ['addType', 'version', 'wfVersion', 'checkerNames']

export const keptFlow = keptBy('wfId', async (ctx, wfId) => (await flowForEdit(ctx, { wfId })).flow, {
  formOf: formOfFlow,
  facts,
})

/** A clone is a new flow: what its form leaves out is as the clone's form began. */
export const keptSource = keptBy('fromWfId', async (ctx, wfId) => (await flowToClone(ctx, { wfId })).flow, {
  formOf: formOfFlow,
  facts,
})

export const keptCategory = keptBy('wfcId', async (ctx, wfcId) =>
  (await categoryRows(ctx)).find((row) => row.wfcId === wfcId),
)
