import { z } from 'zod'
import { search } from '../../../contract/core/fields.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { checkPlainInput } from '../../core/request/input.ts'
import { keptBy, unsaid, type ReadKept } from '../../core/request/kept-form.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { supplementForEdit } from './supplement-detail.queries.ts'

const keptRecord = keptBy('lisId', (ctx, lisId) => supplementForEdit(ctx, { lisId }), {
  formOf: ({ proofs, ...record }) => ({ ...record, lisProofs: proofs.map(({ id }) => id) }),
})

/** What the specification gives a record beyond its form: its state, which acts change, and whose it is in words. */
const facts = ['suiNumber', 'suiName', 'delFlag', 'lisPublictySdate', 'lisPublictyEdate', 'lisPublictyStatus']

/** What the call that deletes a record also takes, beside the fields of its form. */
const ofDeleting = new Set(['lisId', 'delFlag'])

/**
 * The record that is edited by the call that also deletes it, as the specification has it: where nothing is said of
 * deleting, what else is said is put into its form, as the call that saves it does.
 */
export const keptByDeleting: ReadKept = async (ctx, given, named) => {
  if ('delFlag' in given || [...named].every((name) => ofDeleting.has(name))) return undefined
  const record = await keptRecord(ctx, given, named)
  return record && { ...withFacts(record), schema: supplementApi.save.input }
}

/** The record that is edited; of a new one the student, whom the specification names by their number. */
export const keptSupplement: ReadKept = async (ctx, given, named) => {
  const record = await keptRecord(ctx, given, named)
  if (record) return withFacts(record)
  return { answer: unsaid(facts), form: { suId: given['suId'] ?? (await studentOf(ctx, given['suiNumber'])) } }
}

const withFacts = (record: NonNullable<Awaited<ReturnType<ReadKept>>>) => ({
  ...record,
  answer: { ...unsaid(facts), ...record.answer },
})

/** The student of a number, among those whom the call covers; what can be no number is refused. */
async function studentOf(ctx: Context, told: unknown): Promise<string | undefined> {
  const { suiNumber } = checkPlainInput(z.object({ suiNumber: search('学号').optional() }), { suiNumber: told })
  if (suiNumber === undefined) return undefined
  const row = await visibleStudents(ctx)
    .select('person.suId')
    .where('person.suiNumber', '=', suiNumber)
    .executeTakeFirst()
  return row?.suId
}
